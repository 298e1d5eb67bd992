// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a grid computes: each point from those around it, step after step.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "makespan/grid/cut/box.hpp"
#include "makespan/grid/cut/halo_parts.hpp"
#include "makespan/grid/field/field_view.hpp"

namespace makespan::grid {

enum class FieldRole : std::uint8_t {
  spreads,  // read around a point: has a halo, and a memory for each of two steps
  stays,    // read and written at the point alone: changed where it lies
};

[[nodiscard]] constexpr int copies_of(FieldRole role) {
  return role == FieldRole::spreads ? 2 : 1;
}

struct StencilShape {
  std::vector<FieldRole> fields{};
  Halo halo{};  // that one step reads
  // Whether rows are read beyond their ends in memory, whatever lies there. Without it a kernel
  // asks the view's sides, and saves the pass that fills them.
  bool reads_row_ends{false};
  // Steps that one sweep can make at once, from a halo as many times as wide.
  int steps_max{1};
};

[[nodiscard]] inline std::int64_t exchanged_fields(StencilShape const& shape) {
  return std::ranges::count(shape.fields, FieldRole::spreads);
}

// Called now and then by a sweep that is long, every 100 µs or so: its owner has other things to
// do.
class Pause {
 public:
  Pause() = default;
  Pause(void (*call)(void*), void* context) : call_(call), context_(context) {}
  void operator()() const {
    if (call_ != nullptr) call_(context_);
  }

 private:
  void (*call_)(void*){};
  void* context_{};
};

// One thread's part of a step, or of several at once.
struct Sweep {
  Box box{};            // the points to compute, in the grid's numbers; in the views' box
  std::int64_t step{};  // number of the first step that is made, from 0
  int steps{1};         // that are made at once: the halo of `now` is good for as many
  std::span<FieldView const> now{};   // by field
  std::span<FieldView const> next{};  // by field; of one that stays the same as `now`
  Pause pause{};
};

// Its answer at a point must not depend on the box it is asked for: then the whole grid's does not
// depend on how it is cut.
class Stencil {
 public:
  Stencil() = default;
  Stencil(Stencil const&) = delete;
  Stencil& operator=(Stencil const&) = delete;
  virtual ~Stencil() = default;

  [[nodiscard]] virtual StencilShape shape() const = 0;
  // Sets the points of sweep.box in `next`, and whatever it likes beyond the ends of the view's
  // rows there. Called by several threads at once, for boxes without a point in common.
  virtual void sweep(Sweep const& sweep) const = 0;
};

}  // namespace makespan::grid

// SPDX-License-Identifier: Apache-2.0
#pragma once

// What keeps a device's fields and computes them in place of this image's threads: a GPU.

#include <cstdint>
#include <span>

#include "makespan/base/quantity.hpp"
#include "makespan/grid/cut/box.hpp"
#include "makespan/grid/field/field_memory.hpp"
#include "makespan/grid/field/field_view.hpp"
#include "makespan/grid/field/stencil.hpp"

namespace makespan::grid {

// What others wait for, and what they do not: two queues, each of which is done in its order, at
// the same time.
enum class SweepQueue : std::uint8_t { boundary, interior };

// Sweeps and unpacking begin when they are asked for and may be done after the call has returned:
// is_done() tells. For one thread at a time. Functions throw when the device fails.
class Accelerator {
 public:
  Accelerator() = default;
  Accelerator(Accelerator const&) = delete;
  Accelerator& operator=(Accelerator const&) = delete;
  virtual ~Accelerator() = default;

  // As many cores' as it is thought to be worth, until it is measured; and what its memory holds.
  [[nodiscard]] virtual double cores_worth() const = 0;
  [[nodiscard]] virtual std::int64_t memory_bytes() const = 0;

  // Memory that it and the host reach, the host as long as nothing is under way. Throws InputError.
  [[nodiscard]] virtual FieldMemory memory(std::int64_t doubles) = 0;

  // The calling thread will ask from now on. Brings all memory near.
  virtual void begin() = 0;
  // Of a single step.
  virtual void sweep(Sweep const& sweep, SweepQueue queue) = 0;
  // As makespan::grid::pack(), after all that is in the boundary's queue. Blocks.
  virtual void pack(std::span<FieldView const> views, Box const& box, double* to) = 0;
  // As makespan::grid::unpack(), in the boundary's queue; `from` is read before it returns.
  virtual void unpack(double const* from, std::span<FieldView const> views, Box const& box) = 0;
  // Whether all that was asked for is done.
  [[nodiscard]] virtual bool is_done() = 0;
  // What sweeps took since the last time this was called, while nothing is under way.
  [[nodiscard]] virtual Seconds take_busy() = 0;
};

}  // namespace makespan::grid

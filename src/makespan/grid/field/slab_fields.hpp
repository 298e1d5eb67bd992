// SPDX-License-Identifier: Apache-2.0
#pragma once

// The fields of one slab in memory: this step's and the next one's.

#include <cstdint>
#include <span>
#include <vector>

#include "makespan/grid/cut/box.hpp"
#include "makespan/grid/field/field_memory.hpp"
#include "makespan/grid/field/field_view.hpp"
#include "makespan/grid/field/stencil.hpp"

namespace makespan::grid {

// How fields lie around a slab.
struct SlabPlan {
  Box box{};
  Box domain{};   // that it is part of; empty: itself
  Sides sides{};  // of the domain
  std::int64_t halo_width{};
  std::vector<FieldRole> roles{};
  std::vector<FaceValues> values{};  // by field, of the sides that are `value`
};

// Memory is not touched before it is cleared: a page then lies near who did it first. Tested by
// tests/grid/field/slab_fields_test.cpp.
class SlabFields {
 public:
  // In memory of the system, or of `source`; rows of values of faces are the host's. Throws
  // InputError naming the bytes, if there are not as many.
  explicit SlabFields(SlabPlan plan, FieldSource const& source = {});

  [[nodiscard]] Box const& box() const { return plan_.box; }
  [[nodiscard]] SlabPlan const& plan() const { return plan_; }
  [[nodiscard]] int fields() const { return static_cast<int>(plan_.roles.size()); }
  // By field.
  [[nodiscard]] std::span<FieldView const> now() const { return views_[current_]; }
  [[nodiscard]] std::span<FieldView const> next() const { return views_[1 - current_]; }
  // Of the fields that spread, in order.
  [[nodiscard]] std::span<FieldView const> current_exchanged_fields() const {
    return spreading_[current_];
  }
  [[nodiscard]] std::span<FieldView const> next_exchanged_fields() const {
    return spreading_[1 - current_];
  }
  // The next step is now.
  void advance() { current_ = 1 - current_; }

  // Sets planes [first, last) of all fields to 0, halo and all; counted from the box's first one,
  // from -halo_width on. Called by the thread that will compute there.
  void clear(std::int64_t first, std::int64_t last);
  // What clear() must be called for before fields are used: planes from first_plane() up to, but
  // not at, last_plane().
  [[nodiscard]] std::int64_t first_plane() const { return -plan_.halo_width; }
  [[nodiscard]] std::int64_t last_plane() const { return plan_.box.extent().z + plan_.halo_width; }
  // In memory of a source.
  [[nodiscard]] static std::int64_t bytes_of(SlabPlan const& plan);

 private:
  SlabPlan plan_;
  std::int64_t row_pitch_{};
  std::int64_t plane_pitch_{};
  std::vector<FieldMemory> memories_{};
  FieldMemory value_rows_;
  std::vector<FieldView> views_[2]{};
  std::vector<FieldView> spreading_[2]{};
  int current_{0};
};

}  // namespace makespan::grid

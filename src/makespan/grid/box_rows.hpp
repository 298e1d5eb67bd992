// SPDX-License-Identifier: Apache-2.0
#pragma once

// Boxes of values in plain order: by z, then y, then x.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "makespan/grid/cut/box.hpp"
#include "makespan/grid/field/field_view.hpp"

namespace makespan::grid {

// Writes the values of `part`, in its order, to where they are in the values of `box`. Tested by
// tests/grid/box_rows_test.cpp.
void place_rows(double const* from, Box const& part, Box const& box, double* to);
// The other way.
void take_rows(double const* from, Box const& box, Box const& part, double* to);

// Sets the points of `box`, in the grid's numbers, of each field.
void fill_box(std::span<FieldView const> views, Box const& box,
              std::function<double(int field, Point at)> const& value);

// A value that is no number, or infinite.
struct BadValue {
  int field{};
  Point at{};
  double value{};
};

// The first one by field, z, y, x, in the views' boxes.
[[nodiscard]] std::optional<BadValue> find_bad_value(std::span<FieldView const> views);

// Of all bits in the views' boxes and of where in `domain` they are. Hashes of boxes that have no
// point in common add up to that of all of them.
[[nodiscard]] std::uint64_t values_hash(std::span<FieldView const> views, Box const& domain);

}  // namespace makespan::grid

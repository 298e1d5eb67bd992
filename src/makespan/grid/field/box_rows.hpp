// SPDX-License-Identifier: Apache-2.0
#pragma once

// Boxes of values in plain order: by z, then y, then x.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "makespan/base/digest.hpp"
#include "makespan/grid/cut/box.hpp"
#include "makespan/grid/field/field_view.hpp"

namespace makespan::grid {

// Writes the values of `part`, in its order, to where they are in the values of `box`. Tested by
// tests/grid/field/box_rows_test.cpp.
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

// Adds what the views' boxes have of it to the digest of each plane of `domain`: by field, then z.
// Of boxes that have no point in common comes what comes of all of them at once.
void add_digests(std::span<FieldView const> views, Box const& domain, std::span<Digest> planes);

}  // namespace makespan::grid

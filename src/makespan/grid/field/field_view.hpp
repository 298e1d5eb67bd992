// SPDX-License-Identifier: Apache-2.0
#pragma once

// A field on one box of the grid, as kernels see it: rows along x, and what lies beyond the ends.

#include <array>
#include <cstddef>
#include <cstdint>

#include "makespan/grid/cut/box.hpp"
#include "makespan/grid/cut/faces.hpp"

namespace makespan::grid {

// What a kernel finds beyond an end of a box.
enum class Beyond : std::uint8_t {
  stored,  // the points themselves, in the halo
  mirror,  // no flux: the points before the end, the nearest first
  value,   // the face's value
};

// By face.
using Sides = std::array<Beyond, face_count>;

// Doubles of a row that lie in memory before its first point; as many, at least, behind its last.
inline constexpr std::int64_t row_margin = 8;
// A halo is no wider: rows have no more memory at their ends.
inline constexpr std::int64_t halo_width_max = row_margin;

// A value: says where the field lies, and owns nothing. Points are given from the box's first one
// on, so 0 … extent-1 is the box and what is outside of that is its halo. The first point of each
// row is at the beginning of a cache line. Tested by tests/grid/field/slab_fields_test.cpp.
struct FieldView {
  Box box{};
  double* first{};  // the box's first point
  std::int64_t row_pitch{};
  std::int64_t plane_pitch{};
  Sides sides{};
  FaceValues values{};
  double const* value_rows{};  // a row of each face's value

  [[nodiscard]] double* at(std::int64_t y, std::int64_t z) const {
    return first + z * plane_pitch + y * row_pitch;
  }
  [[nodiscard]] Beyond beyond(Face face) const { return sides[static_cast<std::size_t>(face)]; }
  [[nodiscard]] double const* value_row(Face face) const {
    return value_rows + static_cast<std::int64_t>(face) * row_pitch;
  }

  // The row that stands at (y, z), inside or outside of the box. Outside by no more than the halo's
  // width.
  [[nodiscard]] double const* row(std::int64_t y, std::int64_t z) const;
};

// Where index `i` of 0 … extent-1 really is, by the rules of both ends: itself, or mirrored; -1 …
// says that it is beyond the `low` end and has its value, and extent … the same of the high end, if
// they are `value`. A stored one is itself.
struct Folded {
  std::int64_t index{};
  bool is_value{};
};
[[nodiscard]] constexpr Folded folded(std::int64_t i, std::int64_t extent, Beyond low,
                                      Beyond high) {
  // A box thinner than its halo is mirrored to and fro.
  for (;;) {
    if (i < 0 && low != Beyond::stored) {
      if (low == Beyond::value) return {i, true};
      i = -1 - i;
    } else if (i >= extent && high != Beyond::stored) {
      if (high == Beyond::value) return {i, true};
      i = 2 * extent - 1 - i;
    } else {
      return {i, false};
    }
  }
}

inline double const* FieldView::row(std::int64_t y, std::int64_t z) const {
  Point const size = box.extent();
  Folded const across_z = folded(z, size.z, beyond(Face::z_low), beyond(Face::z_high));
  if (across_z.is_value) return value_row(across_z.index < 0 ? Face::z_low : Face::z_high);
  Folded const across_y = folded(y, size.y, beyond(Face::y_low), beyond(Face::y_high));
  if (across_y.is_value) return value_row(across_y.index < 0 ? Face::y_low : Face::y_high);
  return at(across_y.index, across_z.index);
}

}  // namespace makespan::grid

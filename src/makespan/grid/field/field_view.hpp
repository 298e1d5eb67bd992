// SPDX-License-Identifier: Apache-2.0
#pragma once

// A field on one box of the grid, as kernels see it: rows along x, and what lies beyond the ends.

#include <array>
#include <cstddef>
#include <cstdint>

#include "makespan/grid/cut/box.hpp"
#include "makespan/grid/cut/faces.hpp"

namespace makespan::grid {

// What a kernel finds beyond an end.
enum class Beyond : std::uint8_t {
  stored,  // the points themselves, in the halo
  mirror,  // no flux: the points before the end, the nearest first
  value,   // the face's value
};

// By face of the domain.
using Sides = std::array<Beyond, face_count>;

// Doubles of a row that lie in memory before its first point; as many, at least, behind its last.
inline constexpr std::int64_t row_margin = 8;
// A halo is no wider: rows have no more memory at their ends.
inline constexpr std::int64_t halo_width_max = row_margin;

// Where index `i` really is, in a domain of begin … end-1: itself, or mirrored, by the rules of
// both ends; or beyond an end that has a value.
struct Folded {
  std::int64_t index{};
  bool is_value{};
};
struct Axis {
  std::int64_t begin{};
  std::int64_t end{};
  Beyond low{};
  Beyond high{};
};
[[nodiscard]] constexpr Folded folded(std::int64_t i, Axis const& axis) {
  // A domain thinner than a halo is mirrored at both ends in turn.
  for (;;) {
    if (i < axis.begin && axis.low != Beyond::stored) {
      if (axis.low == Beyond::value) return {i, true};
      i = 2 * axis.begin - 1 - i;
    } else if (i >= axis.end && axis.high != Beyond::stored) {
      if (axis.high == Beyond::value) return {i, true};
      i = 2 * axis.end - 1 - i;
    } else {
      return {i, false};
    }
  }
}

// A value: says where the field lies, and owns nothing. Points are given from the box's first one
// on, so 0 … extent-1 is the box and what is outside of that is its halo. The first point of each
// row is at the beginning of a cache line. Tested by tests/grid/field/slab_fields_test.cpp.
struct FieldView {
  Box box{};        // in the grid's numbers
  Box domain{};     // all of the grid, from the box's first point on
  double* first{};  // the box's first point
  std::int64_t row_pitch{};
  std::int64_t plane_pitch{};
  Sides sides{};
  FaceValues values{};
  double const* value_rows{};  // a row of each face's value

  [[nodiscard]] double* at(std::int64_t y, std::int64_t z) const {
    return first + z * plane_pitch + y * row_pitch;
  }
  // How the domain ends.
  [[nodiscard]] Axis axis_x() const { return {domain.begin.x, domain.end.x, sides[0], sides[1]}; }
  [[nodiscard]] Axis axis_y() const { return {domain.begin.y, domain.end.y, sides[2], sides[3]}; }
  [[nodiscard]] Axis axis_z() const { return {domain.begin.z, domain.end.z, sides[4], sides[5]}; }
  // What lies right behind an end of the box: the halo, unless the domain ends there.
  [[nodiscard]] Beyond beyond(Face face) const {
    std::array<bool, face_count> const is_end{domain.begin.x == 0, domain.end.x == box.extent().x,
                                              domain.begin.y == 0, domain.end.y == box.extent().y,
                                              domain.begin.z == 0, domain.end.z == box.extent().z};
    auto const at = static_cast<std::size_t>(face);
    return is_end[at] ? sides[at] : Beyond::stored;
  }
  // Whether the row before or behind those of this plane along z is a face's value.
  [[nodiscard]] bool has_value_along_z(std::int64_t z) const {
    return folded(z - 1, axis_z()).is_value || folded(z + 1, axis_z()).is_value;
  }
  [[nodiscard]] double const* value_row(Face face) const {
    return value_rows + static_cast<std::int64_t>(face) * row_pitch;
  }

  // The row that stands at (y, z), inside or outside of the box. Outside by no more than the halo's
  // width.
  [[nodiscard]] double const* row(std::int64_t y, std::int64_t z) const;
};

inline double const* FieldView::row(std::int64_t y, std::int64_t z) const {
  Folded const across_z = folded(z, axis_z());
  if (across_z.is_value) {
    return value_row(across_z.index < domain.begin.z ? Face::z_low : Face::z_high);
  }
  Folded const across_y = folded(y, axis_y());
  if (across_y.is_value) {
    return value_row(across_y.index < domain.begin.y ? Face::y_low : Face::y_high);
  }
  return at(across_y.index, across_z.index);
}

}  // namespace makespan::grid

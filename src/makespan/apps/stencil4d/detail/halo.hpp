// SPDX-License-Identifier: Apache-2.0
#pragma once

// The values of a block with one layer more on each side, where the neighbours' faces lie: an array
// of (side + 2)^4, the last coordinate running fastest; the block's own points have the coordinates
// 1 to side. A step reads no edges or corners of that layer, and no block sends any.
//
// Tested by tests/apps/stencil4d/halo_test.cpp.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace makespan::stencil4d {

// Of a face: axis 0 to 3, and which end of it.
struct Direction {
  int axis{};
  int end{};  // 0: low; 1: high

  // 0 to 7, as it goes in messages.
  [[nodiscard]] constexpr int number() const { return 2 * axis + end; }
  [[nodiscard]] static constexpr Direction of(int number) { return {number / 2, number % 2}; }
  [[nodiscard]] constexpr Direction opposite() const { return {axis, 1 - end}; }
};
constexpr int directions = 8;

[[nodiscard]] constexpr std::int64_t halo_points(int side) {
  std::int64_t const edge = side + 2;
  return edge * edge * edge * edge;
}
[[nodiscard]] constexpr std::int64_t own_points(int side) {
  std::int64_t const edge = side;
  return edge * edge * edge * edge;
}
[[nodiscard]] constexpr std::int64_t face_points(int side) {
  return std::int64_t{side} * side * side;
}
// From a point to the next along an axis.
[[nodiscard]] constexpr std::int64_t stride(int side, int axis) {
  std::int64_t const edge = side + 2;
  std::int64_t steps = 1;
  for (int later = axis; later < 3; ++later) steps *= edge;
  return steps;
}

// The block's own outermost points in that direction: side^3 values.
[[nodiscard]] std::vector<double> face_of(std::span<double const> halo, int side,
                                          Direction direction);
// A neighbour's face into the layer that lies in that direction.
void put_face(std::span<double> halo, int side, Direction direction, std::span<double const> face);

// 255 at the block's own points that are lowest along some axis.
void reset_low_faces(std::span<double> halo, int side);

// Calls function(row) for each row of the block's own points, in order: side values that lie one
// after the other.
template <class Value, class Function>
void for_each_row(std::span<Value> halo, int side, Function&& function) {
  auto const edge = static_cast<std::size_t>(side) + 2;
  auto const last = static_cast<std::size_t>(side);
  for (std::size_t i = 1; i <= last; ++i) {
    for (std::size_t j = 1; j <= last; ++j) {
      for (std::size_t k = 1; k <= last; ++k) {
        function(halo.subspan(((i * edge + j) * edge + k) * edge + 1, last));
      }
    }
  }
}

}  // namespace makespan::stencil4d

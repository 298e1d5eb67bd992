// SPDX-License-Identifier: Apache-2.0
#pragma once

// Boxes of grid points: how a grid is cut, and what parts of it travel.

#include <algorithm>
#include <cstdint>

namespace makespan::grid {

// A point of the grid, or the difference of two.
struct Point {
  std::int64_t x{};
  std::int64_t y{};
  std::int64_t z{};

  friend constexpr bool operator==(Point const&, Point const&) = default;
  friend constexpr Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend constexpr Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
};

// The points from `begin` up to, but not at, `end`, along each axis; none where an `end` is not
// above its `begin`. Tested by tests/grid/cut/box_test.cpp.
struct Box {
  Point begin{};
  Point end{};

  friend constexpr bool operator==(Box const&, Box const&) = default;

  [[nodiscard]] constexpr Point extent() const { return end - begin; }
  [[nodiscard]] constexpr bool is_empty() const {
    return end.x <= begin.x || end.y <= begin.y || end.z <= begin.z;
  }
  [[nodiscard]] constexpr std::int64_t points() const {
    Point const size = extent();
    return is_empty() ? 0 : size.x * size.y * size.z;
  }
  [[nodiscard]] constexpr bool holds(Point at) const {
    return at.x >= begin.x && at.x < end.x && at.y >= begin.y && at.y < end.y && at.z >= begin.z &&
           at.z < end.z;
  }
};

[[nodiscard]] constexpr Box moved(Box const& box, Point by) {
  return {box.begin + by, box.end + by};
}

// With `width` more points at each end of each axis.
[[nodiscard]] constexpr Box grown(Box const& box, std::int64_t width) {
  Point const by{width, width, width};
  return {box.begin - by, box.end + by};
}

// What both have; empty boxes may come out in any form.
[[nodiscard]] constexpr Box intersection(Box const& a, Box const& b) {
  return {{std::max(a.begin.x, b.begin.x), std::max(a.begin.y, b.begin.y),
           std::max(a.begin.z, b.begin.z)},
          {std::min(a.end.x, b.end.x), std::min(a.end.y, b.end.y), std::min(a.end.z, b.end.z)}};
}

}  // namespace makespan::grid

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Boxes of elements that lie apart in memory: the part of a matrix, the face of a block. Pure.
//
// Moving one means moving runs of bytes that are contiguous on both sides. Dimensions that follow
// on each other without a gap are merged first, so that runs are as long as they can be.

#include <array>
#include <cstddef>
#include <cstdint>

#include "makespan/base/contracts.hpp"

namespace makespan::pgas {

// How many times a step is made in one dimension, and how far it leads [bytes], at either side;
// steps may be negative.
struct StridedDimension {
  std::int64_t count{1};
  std::int64_t source_stride{0};
  std::int64_t target_stride{0};

  friend constexpr bool operator==(StridedDimension const&, StridedDimension const&) = default;
};

// Elements of `element_bytes` each, in up to 4 dimensions, the outermost first. Dimensions that are
// not used stay as they are: one step.
struct StridedBox {
  static constexpr std::size_t dimensions_max = 4;

  std::int64_t element_bytes{1};
  std::array<StridedDimension, dimensions_max> dimensions{};

  [[nodiscard]] constexpr std::int64_t elements() const {
    std::int64_t product = 1;
    for (StridedDimension const& dimension : dimensions) product *= dimension.count;
    return product;
  }
  [[nodiscard]] constexpr std::int64_t bytes() const { return elements() * element_bytes; }

  friend constexpr bool operator==(StridedBox const&, StridedBox const&) = default;
};

// The bytes that a box touches at one side, counted from its first element: the lowest and one past
// the highest. {0, 0} for an empty box.
struct StridedExtent {
  std::int64_t begin{0};
  std::int64_t end{0};

  friend constexpr bool operator==(StridedExtent const&, StridedExtent const&) = default;
};

[[nodiscard]] StridedExtent source_extent(StridedBox const& box);
[[nodiscard]] StridedExtent target_extent(StridedBox const& box);

// The same bytes in the same order with the longest elements and the fewest dimensions; those that
// are left are the last ones. An empty box has no elements in its outermost dimension.
[[nodiscard]] StridedBox merged(StridedBox const& box);

// Calls move(source_offset, target_offset, bytes) for each run, in the order of the elements;
// offsets [bytes] count from the first element at either side. Allocates nothing.
template <class Move>
void for_each_run(StridedBox const& box, Move&& move) {
  StridedBox const runs = merged(box);
  auto const& [d0, d1, d2, d3] = runs.dimensions;
  for (std::int64_t i0 = 0; i0 < d0.count; ++i0) {
    for (std::int64_t i1 = 0; i1 < d1.count; ++i1) {
      for (std::int64_t i2 = 0; i2 < d2.count; ++i2) {
        std::int64_t source = i0 * d0.source_stride + i1 * d1.source_stride + i2 * d2.source_stride;
        std::int64_t target = i0 * d0.target_stride + i1 * d1.target_stride + i2 * d2.target_stride;
        for (std::int64_t i3 = 0; i3 < d3.count; ++i3) {
          move(source, target, runs.element_bytes);
          source += d3.source_stride;
          target += d3.target_stride;
        }
      }
    }
  }
}

}  // namespace makespan::pgas

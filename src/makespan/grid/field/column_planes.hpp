// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a box is divided among threads of a GPU that go up its columns.

#include <algorithm>
#include <cstdint>

#include "makespan/grid/cut/box.hpp"

namespace makespan::grid {

// Blocks of threads along y and z are no more (CUDA C++ Programming Guide, technical
// specifications).
inline constexpr std::int64_t column_blocks_max = 65535;

// Planes of a thread that has `points_x` columns side by side: `most`, for it loads a plane more at
// each end, unless threads would then be too few for a GPU; at least 8, and so many that there are
// blocks for all. Tested by tests/grid/field/column_planes_test.cpp.
[[nodiscard]] constexpr std::int64_t column_planes(Box const& box, std::int64_t points_x,
                                                   std::int64_t most) {
  // An H100 holds about as many: 132 multiprocessors with 2048 each.
  constexpr std::int64_t threads_wanted = std::int64_t{1} << 18U;
  constexpr std::int64_t least = 8;
  std::int64_t const by_blocks = (box.extent().z + column_blocks_max - 1) / column_blocks_max;
  std::int64_t const wanted = box.points() / points_x / threads_wanted;
  return std::max(by_blocks, std::clamp(wanted, least, most));
}

}  // namespace makespan::grid

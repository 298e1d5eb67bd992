// SPDX-License-Identifier: Apache-2.0
#pragma once

// The benchmark stencil4d: what is computed, and by which objects.
//
// A periodic array of four dimensions is cut into blocks, each an object. A step replaces each
// value by the mean of itself and its eight neighbours,
//
//   u'(x) = (u(x) + sum over d of (u(x + e_d) + u(x - e_d))) / 9,
//
// for which blocks send their eight faces to the next ones. Blocks do the same step up to
// `work_max` times over, with one result, so that they take unequally long.

#include <array>
#include <cstdint>

#include "makespan/graph/object/initial_map.hpp"

namespace makespan::stencil4d {

using Point = std::array<int, 4>;

// The values before the first step.
enum class Initial : std::uint8_t {
  constant,  // 255
  cosine,    // cos(2 pi (m . x) / points), which each step multiplies by decay()
  random,    // uniform in [0, 1), drawn by seed and point
};

// What happens to the points of a block whose coordinate in it is 0 along some axis.
enum class LowFaces : std::uint8_t {
  kept,
  reset,  // 255 after each step: heat that comes in everywhere
};

// Sizes are those of A. Bhatele's benchmark, as it is published with NucoLB (L. L. Pilla et al.,
// ICPP 2012, https://doi.org/10.1109/ICPP.2012.9).
struct Settings {
  int points{128};  // of the array, along each axis; a multiple of `side`
  int side{32};     // of a block, in points, 1 to 128
  std::int64_t steps{50};
  std::int64_t steps_per_phase{1};  // divides `steps`
  int work_max{5};                  // blocks do each step 1 to so many times
  std::uint64_t seed{1};            // of work, and of random values
  Initial initial{Initial::cosine};
  std::array<int, 4> mode{1, 0, 0, 0};  // m, of the cosine
  LowFaces low_faces{LowFaces::kept};
  graph::InitialMap map{graph::InitialMap::block};

  [[nodiscard]] int grid() const { return points / side; }  // blocks along each axis
  [[nodiscard]] int blocks() const { return grid() * grid() * grid() * grid(); }
};

// Throws InputError on invalid or inconsistent settings. Tested by
// tests/apps/stencil4d/settings_test.cpp.
void check_settings(Settings const& settings);

// How often block `index` does a step: 1 to work_max, equally likely.
[[nodiscard]] int work_of(Settings const& settings, int index);

// The block's place in the grid of blocks, and back. The last coordinate runs fastest.
[[nodiscard]] Point coordinates_of(int index, int grid);
[[nodiscard]] int index_of(Point const& at, int grid);

// By what a step multiplies the constant, or the cosine: (1 + 2 sum of cos(2 pi m_d / points)) / 9.
[[nodiscard]] double decay(Settings const& settings);

}  // namespace makespan::stencil4d

// SPDX-License-Identifier: Apache-2.0
#pragma once

// One step of a box, row by row. Tiles of some rows go up through the planes, so that a plane is
// still in the cache when the planes after it are computed.

#include <cstdint>

#include "makespan/apps/calcium/kernels.hpp"
#include "makespan/apps/calcium/sources.hpp"
#include "makespan/grid/field/stencil.hpp"

namespace makespan::calcium {

// All of it is read only, and stays where it is for the sweep.
struct SweepJob {
  Kernels const* kernels{};
  Factors const* factors{};
  VoxelMap const* map{};
  Sources const* sources{};
  Finding finding{};
  std::int64_t tile_rows{};  // of a plane that stay in the cache until the plane after it is done
  Storing storing{};
};

// Makes the step, and calls sweep.pause every few rows.
// Tested by tests/apps/calcium/sweep_rows_test.cpp.
void step_in_one_pass(SweepJob const& job, grid::Sweep const& sweep);
// The same in two passes over memory.
void step_in_two_passes(SweepJob const& job, grid::Sweep const& sweep);

}  // namespace makespan::calcium

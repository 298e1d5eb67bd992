// SPDX-License-Identifier: Apache-2.0
#pragma once

// Grids in virtual time: cut, exchanged and rebalanced by what does so in running ones.

#include "makespan/sim/grids/grid_job.hpp"

namespace makespan::sim {

// Runs the job's steps. How the grid is cut, which box goes where, and when planes move is decided
// by the functions of grid/cut, as in grid::Grid; what a device does in a step follows
// grid::DeviceRun, phase by phase; messages follow each other on the links that they share, and
// what a processor does for them is taken from what it computes. Repeats to the last bit. Blocks:
// some tenths of a microsecond of real time for each message.
//
// Throws InputError on invalid jobs, and as grid::stacks_of() does. Tested by
// tests/sim/grids/grid_simulation_test.cpp.
[[nodiscard]] GridResult simulate_grid(GridJob const& job);

}  // namespace makespan::sim

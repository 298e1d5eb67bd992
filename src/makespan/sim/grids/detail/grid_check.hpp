// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "makespan/sim/grids/grid_job.hpp"

namespace makespan::sim {

// Throws InputError that says what of the job is invalid. Tested by
// tests/sim/grids/grid_check_test.cpp.
void check(GridJob const& job);

}  // namespace makespan::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether a team's command can be carried out: looked at where it is given, and by every image that
// gets it, as it may come from another build.

#include "makespan/grid/team/detail/team_command.hpp"
#include "makespan/pgas/options.hpp"

namespace makespan::grid {

// Of an image: as many as a runtime has threads at most.
inline constexpr int devices_max = pgas::threads_most;

// Throws InputError unless an image with so many threads can drive the devices, and speeds and
// times of points are of each device of one image or of all. Tested by
// tests/grid/team/team_checks_test.cpp, as the function below.
void check_options(TeamOptions const& options, int threads, int images);

// Throws InputError for numbers of steps below 0, or above 2^53: sums of what passes are counted.
void check_steps(TeamCommand const& command);

}  // namespace makespan::grid

// SPDX-License-Identifier: Apache-2.0
// How Python has a grid run, whatever the grid computes: a dict, as RunOptions.of_team() of
// makespan/grid/input.py makes it.
#pragma once

#include <nanobind/nanobind.h>

#include "makespan/grid/team/grid_team.hpp"

namespace bindings {

// What is left out keeps its default. Throws InputError for unknown names.
[[nodiscard]] makespan::grid::TeamOptions options_from(nanobind::dict const& given);

}  // namespace bindings

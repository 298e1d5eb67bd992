// SPDX-License-Identifier: Apache-2.0
// Where atoms start, and how fast.
#pragma once

#include <vector>

#include "makespan/apps/melt/atom.hpp"

namespace makespan::melt {

// All atoms on their crystal's places, by id; a function of the settings alone, so that each image
// can make its own share. Velocities are uniform in a cube, drawn by (seed, id), less their mean,
// scaled to the temperature: it is exact to rounding, with 3 (N - 1) degrees of freedom.
// Expects checked settings. Tested by tests/apps/melt/lattice_test.cpp.
std::vector<Atom> initial_atoms(MeltSettings const& settings);

}  // namespace makespan::melt

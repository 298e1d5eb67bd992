// SPDX-License-Identifier: Apache-2.0
// Where atoms start, and how fast.
#pragma once

#include <functional>
#include <vector>

#include "makespan/apps/melt/atom.hpp"

namespace makespan::melt {

// Whether an atom at this position is wanted.
using AtomFilter = std::function<bool(Vector3 const& position)>;

// All atoms on their crystal's places, or those wanted, by id; a function of the settings alone, so
// that each place can make its own share, in the memory of that. Velocities are uniform in a cube,
// drawn by (seed, id), less their mean, scaled to the temperature: it is exact to rounding, with 3
// (N - 1) degrees of freedom. Expects checked settings. Tested by tests/apps/melt/lattice_test.cpp.
std::vector<Atom> initial_atoms(MeltSettings const& settings, AtomFilter const& is_wanted = {});

}  // namespace makespan::melt

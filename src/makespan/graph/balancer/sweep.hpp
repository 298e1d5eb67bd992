// SPDX-License-Identifier: Apache-2.0
#pragma once

// One look at every object: does it cost less elsewhere?

#include "makespan/graph/times/phase_state.hpp"

namespace makespan::graph {

// Objects that talk with other places, by rising number: each goes where all times together are
// least, of the places of its friends that stay below `cap_s` with it. From places beyond `cap_s`
// objects go even if that costs more, also to the place that would end first. Returns how many
// moved. O(objects + edges), and for each object that talks with k places O(k²). Tested by
// tests/graph/balancer/sweep_test.cpp.
int sweep(PhaseState& state, double cap_s);

}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Searches on where a local search has ended, on graphs so small that there is time for it.

#include <functional>

#include "makespan/graph/times/phase_state.hpp"

namespace makespan::graph {

// Iterated local search (Lourenço, Martin and Stützle, 2003,
// https://doi.org/10.1007/0-306-48056-5_11): again and again some objects, neighbours or any, go to
// places drawn, which `improve` then mends; where memories have limits, often all that share a
// block. The search goes on from what comes of it unless the longest place is longer than the best
// one's by more than a two-hundredth; what is shorter than the best by a thousandth is the best.
// `state` ends with that. Draws repeat. So many rounds that it takes some milliseconds, some
// thirty at ten thousand places; from a hundred thousand on there are none. Tested by
// tests/graph/balancer/kicks_test.cpp.
void improve_by_kicks(PhaseState& state, double phases,
                      std::function<void(PhaseState& state)> const& improve);

}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Makes the longest place shorter, as long as it can.

#include <cstdint>

#include "makespan/graph/times/phase_state.hpp"

namespace makespan::graph {

// Takes the place that ends last, and of the ways to make it end earlier without another one's
// ending later than it did the one after which the longest of the places that it changes is the
// shortest: one of its objects to where its friends are or to a place that ends early, or in
// exchange for an object from there. Ends when there is none, or after about `looks_max` objects
// have been looked at. Where a link between nodes ends later than any place, the same for its
// node. What is at most `enough_s` is short enough. The longest time never grows. Tested by
// tests/graph/balancer/worst_first_test.cpp.
void shorten_worst_first(PhaseState& state, std::int64_t looks_max, double enough_s = 0.0);

}  // namespace makespan::graph

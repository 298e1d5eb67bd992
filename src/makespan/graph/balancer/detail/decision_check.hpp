// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a place makes sure of before it takes a message of a decision: it may come from another
// image, of another program, or damaged, and its numbers become indexes.

#include <string_view>

#include "makespan/graph/balancer/place_decision.hpp"
#include "makespan/graph/model/places.hpp"

namespace makespan::graph {

// Throws InputError, which says `why`, if not. Tested by
// tests/graph/balancer/decision_check_test.cpp, as the functions below.
void expect_told(bool is_right, std::string_view why);

// A number that is told as an index or a count. Throws InputError unless it is 0 to `end` - 1.
[[nodiscard]] int told_below(double number, int end);

// Throws InputError unless all places that are named are some of these.
void expect_at(Places const& places, KnownObjects const& known);
// And unless all objects have work, for each kind that these places are of.
void expect_known(Places const& places, KnownObjects const& known);

}  // namespace makespan::graph

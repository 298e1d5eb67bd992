// SPDX-License-Identifier: Apache-2.0
#pragma once

// What no mapping can be better than.

#include "makespan/base/quantity.hpp"
#include "makespan/graph/model/graph.hpp"
#include "makespan/graph/model/places.hpp"

namespace makespan::graph {

// The greater of two bounds on the longest place: the largest object, where it runs fastest; and
// all work, divided as finely as one likes, over the speeds of all places. Where work depends on
// the kind of place, the second is the dual of that linear program: for any prices λ of a second on
// each kind with Σ λ(kind) · speeds(kind) = 1 no mapping takes less than Σ min λ(kind) ·
// work(object, kind), and the prices are improved 59 times. Messages count nothing: all objects
// that talk could be in one place. Objects that may not move count where they are. Tested by
// tests/graph/model/lower_bound_test.cpp.
[[nodiscard]] Seconds lower_bound(Graph const& graph, Places const& places);

}  // namespace makespan::graph

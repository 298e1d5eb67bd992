// SPDX-License-Identifier: Apache-2.0
#pragma once

// How much of a graph each place should get, as balancers see it that cut a graph by weights.

#include <vector>

#include "makespan/graph/model/graph.hpp"
#include "makespan/graph/model/places.hpp"

namespace makespan::graph {

// Partitioners know one weight of an object and one share of a place; where work depends on the
// kind of place that is a model, exact with one kind.
struct WorkShares {
  std::vector<double> weight;  // by object: its time, the mean over places by their share
  std::vector<double> share;   // by place; all sum to 1
};

// A place's share is how fast it would do all objects, to the sum of that over places; with one
// kind, its speed to the sum of speeds. Objects weigh 1 each when none has work. O(objects · kinds
// + places). Tested by tests/graph/partition/work_shares_test.cpp.
[[nodiscard]] WorkShares work_shares(Graph const& graph, Places const& places);

}  // namespace makespan::graph

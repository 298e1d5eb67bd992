// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/tree_match.hpp"

#include "makespan/graph/balancer/greedy.hpp"
#include "makespan/graph/partition/group_layout.hpp"

namespace makespan::graph {

Mapping TreeMatchBalancer::map(Graph const& graph, Places const& places) const {
  return laid_out(graph, places, GreedyBalancer({}).map(graph, places));
}

}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/recursive_bisection.hpp"

#include "makespan/graph/partition/division.hpp"

namespace makespan::graph {

Mapping RecursiveBisectionBalancer::map(Graph const& graph, Places const& places) const {
  return divide(graph, places);
}

}  // namespace makespan::graph

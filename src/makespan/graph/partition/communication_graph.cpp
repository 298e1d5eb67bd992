// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/partition/communication_graph.hpp"

#include "makespan/graph/partition/mean_costs.hpp"

namespace makespan::graph {

CommunicationGraph::CommunicationGraph(Graph const& graph, Places const& places) : begin_{0} {
  MeanCosts const costs = mean_costs(places);
  // Where in edges_ an object stands; older than the present object's begin: not yet.
  std::vector<std::int64_t> found(static_cast<std::size_t>(graph.objects()), -1);
  for (int object = 0; object < graph.objects(); ++object) {
    for (auto const edges : {graph.sent(object), graph.received(object)}) {
      for (Traffic const& edge : edges) {
        std::int64_t& at = found[static_cast<std::size_t>(edge.other)];
        if (at < begin_.back()) {
          at = std::ssize(edges_);
          edges_.push_back({.other = edge.other, .cost_s = 0.0});
        }
        edges_[static_cast<std::size_t>(at)].cost_s += costs.of(edge);
      }
    }
    begin_.push_back(std::ssize(edges_));
  }
}

}  // namespace makespan::graph

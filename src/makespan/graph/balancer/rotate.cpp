// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/rotate.hpp"

namespace makespan::graph {

Mapping RotateBalancer::map(Graph const& graph, Places const& places) const {
  Mapping mapping = graph.now();
  for (int object = 0; object < graph.objects(); ++object) {
    std::int32_t& place = mapping[static_cast<std::size_t>(object)];
    if (graph.may_move(object)) place = (place + 1) % places.count();
  }
  return mapping;
}

}  // namespace makespan::graph

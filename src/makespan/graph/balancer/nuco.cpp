// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/nuco.hpp"

#include "makespan/graph/balancer/detail/list_schedule.hpp"
#include "makespan/graph/times/message_costs.hpp"

namespace makespan::graph {

Mapping NucoBalancer::map(Graph const& graph, Places const& places) const {
  return list_schedule(graph, places, MessageCosts::in_seconds(places));
}

}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/greedy.hpp"

#include "makespan/graph/balancer/detail/heaviest_first.hpp"
#include "makespan/graph/times/place_heap.hpp"

namespace makespan::graph {

Mapping GreedyBalancer::map(Graph const& graph, Places const& places) const {
  Mapping mapping = graph.now();
  PlaceHeap heap(places);
  add_fixed(graph, places, heap);
  for (std::int32_t const object : heaviest_first(graph, places)) {
    mapping[static_cast<std::size_t>(object)] = heap.put_first_to_end(graph, object).place;
  }
  return mapping;
}

}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/place_decision.hpp"

#include <cstddef>

#include "makespan/graph/balancer/decision_in_process.hpp"

namespace makespan::graph {

void KnownObjects::append(KnownObjects const& other) {
  objects.insert(objects.end(), other.objects.begin(), other.objects.end());
  work.insert(work.end(), other.work.begin(), other.work.end());
  edges.insert(edges.end(), other.edges.begin(), other.edges.end());
}

void KnownObjects::append(KnownObjects const& other, std::size_t at) {
  auto const kinds = static_cast<std::ptrdiff_t>(other.kinds());
  auto const begin = other.work.begin() + static_cast<std::ptrdiff_t>(at) * kinds;
  objects.push_back(other.objects[at]);
  work.insert(work.end(), begin, begin + kinds);
}

Mapping DistributedBalancer::map(Graph const& graph, Places const& places) const {
  auto const shared = std::make_shared<Places const>(places);
  std::vector<KnownObjects> known = known_objects(graph, places);
  std::vector<std::unique_ptr<PlaceDecision>> all;
  all.reserve(known.size());
  for (std::size_t place = 0; place < known.size(); ++place) {
    all.push_back(at_place({.place = static_cast<int>(place),
                            .places = shared,
                            .own = std::move(known[place]),
                            .noise = graph.noise()}));
  }
  Mapping mapping = graph.now();
  for (DecisionOutcome const& outcome : decide_in_process(all, steps())) {
    for (KnownObject const& each : outcome.leaving) {
      mapping[static_cast<std::size_t>(each.object)] = each.to;
    }
  }
  return mapping;
}

}  // namespace makespan::graph

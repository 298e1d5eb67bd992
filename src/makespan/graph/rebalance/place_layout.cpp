// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/rebalance/place_layout.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace makespan::graph {

PlaceLayout assumed_layout(int threads, std::span<int const> node,
                           AssumedMessageCosts const& costs) {
  PlaceLayout layout;
  for (std::size_t from = 0; from < node.size(); ++from) {
    layout.domain.insert(layout.domain.end(), static_cast<std::size_t>(threads),
                         static_cast<int>(from));
    layout.memory.insert(layout.memory.end(), static_cast<std::size_t>(threads),
                         static_cast<int>(from));
    layout.domains.push_back({.node = node[from]});
    for (std::size_t to = 0; to < node.size(); ++to) {
      bool const is_near = node[from] == node[to];
      layout.costs.latency_s.push_back(from == to ? costs.image_message_s
                                       : is_near  ? costs.node_message_s
                                                  : costs.network_message_s);
      layout.costs.bandwidth_bytes_s.push_back(from == to ? costs.image_bytes_s
                                               : is_near  ? costs.node_bytes_s
                                                          : costs.network_bytes_s);
    }
  }
  return layout;
}

PlaceLayout layout_of(Places const& places) {
  PlaceLayout layout;
  for (Place const& place : places.all()) {
    layout.domain.push_back(place.domain);
    layout.kind.push_back(place.kind);
  }
  bool const are_alike = std::ranges::all_of(layout.kind, [](int kind) { return kind == 0; });
  if (are_alike) layout.kind.clear();
  for (int from = 0; from < places.domains(); ++from) {
    Domain domain{.node = places.node(from)};
    for (int level = 0; level < places.levels(); ++level) {
      domain.groups.push_back(places.group(level, from));
    }
    layout.domains.push_back(std::move(domain));
    for (int to = 0; to < places.domains(); ++to) {
      layout.costs.latency_s.push_back(places.latency_s(from, to));
      layout.costs.receive_s.push_back(places.receive_s(from, to));
      layout.costs.bandwidth_bytes_s.push_back(places.bandwidth_bytes_s(from, to));
    }
  }
  return layout;
}

Places places_of(PlaceLayout const& layout) {
  std::vector<Place> places;
  places.reserve(layout.domain.size());
  for (int const domain : layout.domain) places.push_back({.domain = domain});
  return Places(std::move(places), layout.domains, layout.costs);
}

}  // namespace makespan::graph

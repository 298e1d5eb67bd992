// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/model/mapping_quality.hpp"

#include <algorithm>

#include "makespan/graph/model/phase_time.hpp"

namespace makespan::graph {

namespace {

double imbalance_of(Places const& places, PhaseTimes const& times) {
  double const mean = mean_time_s(places, times.compute_s);
  return mean > 0.0 ? *std::ranges::max_element(times.compute_s) / mean : 1.0;
}

void add_bytes(Graph const& graph, Places const& places, std::span<std::int32_t const> mapping,
               MappingQuality& quality) {
  for (int object = 0; object < graph.objects(); ++object) {
    std::int32_t const here = mapping[static_cast<std::size_t>(object)];
    for (Traffic const& out : graph.sent(object)) {
      std::int32_t const there = mapping[static_cast<std::size_t>(out.other)];
      if (here == there) continue;
      quality.place_bytes += out.bytes;
      int const from = places[here].domain;
      int const to = places[there].domain;
      if (from != to) quality.domain_bytes += out.bytes;
      if (places.node(from) != places.node(to)) quality.node_bytes += out.bytes;
    }
  }
}

}  // namespace

MappingQuality quality_of(Graph const& graph, Places const& places,
                          std::span<std::int32_t const> mapping) {
  PhaseTimes const times = phase_times(graph, places, mapping);
  MappingQuality quality{.phase = Seconds{times.longest_s()},
                         .imbalance = imbalance_of(places, times)};
  add_bytes(graph, places, mapping, quality);
  for (int object = 0; object < graph.objects(); ++object) {
    auto const at = static_cast<std::size_t>(object);
    if (mapping[at] == graph.now()[at]) continue;
    ++quality.moves;
    quality.moved_bytes += graph.bytes(object);
  }
  return quality;
}

}  // namespace makespan::graph

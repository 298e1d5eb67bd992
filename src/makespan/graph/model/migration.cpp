// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/model/migration.hpp"

#include <cstddef>

namespace makespan::graph {

Migration migration_of(Graph const& graph, Places const& places, std::span<std::int32_t const> from,
                       std::span<std::int32_t const> to) {
  Migration migration{.by_place_s = std::vector<double>(static_cast<std::size_t>(places.count()))};
  for (int object = 0; object < graph.objects(); ++object) {
    std::int32_t const here = from[static_cast<std::size_t>(object)];
    std::int32_t const there = to[static_cast<std::size_t>(object)];
    if (here == there) continue;
    double const bytes = graph.bytes(object);
    double const way_s = places.message_s(places[here].domain, places[there].domain,
                                          {.messages = 1.0F, .bytes = bytes});
    migration.by_place_s[static_cast<std::size_t>(here)] += way_s;
    migration.by_place_s[static_cast<std::size_t>(there)] += way_s;
    migration.bytes += bytes;
    migration.objects.push_back(object);
  }
  return migration;
}

}  // namespace makespan::graph

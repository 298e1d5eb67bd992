// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/graph500/detail/tree_levels.hpp"

#include <cstddef>

namespace makespan::graph500 {

namespace {

constexpr std::int32_t not_known = -4;
constexpr std::int32_t on_the_way = -5;

}  // namespace

std::vector<std::int32_t> tree_levels(std::span<Vertex const> parents, Vertex root) {
  std::vector<std::int32_t> levels(parents.size(), not_known);
  if (parents[root] == root) levels[root] = 0;
  std::vector<Vertex> way;
  for (std::size_t first = 0; first < parents.size(); ++first) {
    if (parents[first] == no_vertex) {
      levels[first] = not_reached;
      continue;
    }
    // Up, until a vertex of which it is known.
    // Each vertex is walked over once: afterwards it is known, and ends the ways of others.
    auto at = static_cast<Vertex>(first);
    while (at < parents.size() && levels[at] == not_known && parents[at] != no_vertex) {
      levels[at] = on_the_way;
      way.push_back(at);
      at = parents[at];
    }
    std::int32_t level = leads_nowhere;
    if (at < parents.size() && levels[at] == on_the_way) {
      level = in_a_cycle;
    } else if (at < parents.size() && parents[at] != no_vertex) {
      level = levels[at];
    }
    // And down again.
    for (; !way.empty(); way.pop_back()) {
      if (level >= 0) ++level;
      levels[way.back()] = level;
    }
  }
  return levels;
}

}  // namespace makespan::graph500

// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/graph500/edge_list.hpp"

#include <cstddef>
#include <cstdint>

namespace makespan::graph500 {

std::vector<Edge> own_edges(ThreadPool& pool, KroneckerGraph const& list) {
  constexpr std::int64_t made_at_once = 16384;
  std::int64_t const image = pool.runtime().image().value();
  std::int64_t const images = pool.runtime().images();
  std::int64_t const first = list.edges() * image / images;
  std::int64_t const end = list.edges() * (image + 1) / images;
  std::vector<Edge> edges(static_cast<std::size_t>(end - first));
  pool.each_chunk(std::ssize(edges), made_at_once,
                  [&](pgas::Endpoint&, std::int64_t from, std::int64_t to) {
                    for (std::int64_t at = from; at < to; ++at) {
                      edges[static_cast<std::size_t>(at)] = list.edge(first + at);
                    }
                  });
  return edges;
}

}  // namespace makespan::graph500

// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/graph500/distributed_graph.hpp"

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>

#include "makespan/base/error.hpp"

namespace makespan::graph500 {

namespace {

// Of an image's inbox: 16 MiB.
constexpr std::int64_t inbox_arcs = std::int64_t{1} << 21U;
constexpr std::int64_t arcs_of_chunk = 65536;
constexpr std::int64_t rows_of_chunk = 1024;

std::int64_t checked_vertices(std::int64_t vertices) {
  if (vertices < 1 || vertices > vertices_max) {
    throw InputError("a graph of " + std::to_string(vertices) + " vertices",
                     "they are numbered by 31 bits", "give 1 to 2^31");
  }
  return vertices;
}

void expect_vertices_all(Crew& crew, VertexBlocks const& blocks, std::span<Edge const> edges) {
  std::int64_t highest = -1;
  for (Edge const& edge : edges) {
    highest = std::max(highest, std::int64_t{std::max(edge.from, edge.to)});
  }
  highest = crew.runtime().team().all_reduce_all(pgas::ReduceOp::max, highest);
  if (highest < blocks.vertices()) return;
  throw InputError("an edge of vertex " + std::to_string(highest),
                   "the graph has " + std::to_string(blocks.vertices()) + ", from 0 on",
                   "give more vertices, or other edges");
}

std::vector<Arc> arcs_of(Crew& crew, VertexBlocks const& blocks, std::span<Edge const> edges) {
  expect_vertices_all(crew, blocks, edges);
  ArcExchange exchange(crew, blocks, std::max<std::int64_t>(inbox_arcs, 2 * blocks.images()));
  std::vector<Arc> arcs = exchange.exchange_all(edges);
  exchange.free_all();
  return arcs;
}

}  // namespace

DistributedGraph::DistributedGraph(Crew& crew, std::int64_t vertices, std::span<Edge const> edges)
    : blocks_{checked_vertices(vertices), crew.runtime().images()},
      first_{blocks_.first(crew.runtime().image().value())},
      offsets_(static_cast<std::size_t>(blocks_.count(crew.runtime().image().value())) + 1) {
  fill_rows(crew, arcs_of(crew, blocks_, edges));
  order_rows(crew, degrees_all(crew));
  count_all(crew);
}

// A counting sort by owned vertex.
void DistributedGraph::fill_rows(Crew& crew, std::vector<Arc> const& arcs) {
  auto const own = [&](Arc const& arc) { return arc.from - static_cast<std::uint64_t>(first_); };
  auto const each_arc = [&](auto const& use) {
    crew.each_chunk(std::ssize(arcs), arcs_of_chunk,
                    [&](pgas::Endpoint&, std::int64_t begin, std::int64_t end) {
                      for (std::int64_t at = begin; at < end; ++at) {
                        use(arcs[static_cast<std::size_t>(at)]);
                      }
                    });
  };
  each_arc([&](Arc const& arc) {
    std::atomic_ref(offsets_[own(arc) + 1]).fetch_add(1, std::memory_order_relaxed);
  });
  for (std::size_t row = 1; row < offsets_.size(); ++row) offsets_[row] += offsets_[row - 1];
  neighbours_.resize(arcs.size());
  std::vector<std::uint64_t> next(offsets_);
  each_arc([&](Arc const& arc) {
    neighbours_[std::atomic_ref(next[own(arc)]).fetch_add(1, std::memory_order_relaxed)] = arc.to;
  });
}

// Of all vertices of all images. Edges that are there twice count twice.
std::vector<std::uint32_t> DistributedGraph::degrees_all(Crew& crew) const {
  pgas::Runtime& runtime = crew.runtime();
  auto const shared = runtime.allocate_all<std::uint32_t>(blocks_.block(), "degrees");
  std::span<std::uint32_t> const mine = runtime.local(shared);
  for (std::int64_t row = 0; row < count(); ++row) {
    mine[static_cast<std::size_t>(row)] = static_cast<std::uint32_t>(degree(row));
  }
  runtime.team().barrier_all();
  std::vector<std::uint32_t> degrees(static_cast<std::size_t>(blocks_.block() * blocks_.images()));
  crew.each_chunk(blocks_.images(), 1, [&](pgas::Endpoint& here, std::int64_t image, std::int64_t) {
    here.get(
        shared.at(ImageId{image}),
        std::span(degrees).subspan(static_cast<std::size_t>(blocks_.first(image)), mine.size()));
  });
  runtime.team().barrier_all();
  runtime.free_all(shared);
  return degrees;
}

// Of most edges first; of equal ones the lowest number, so that doubles come beside each other.
void DistributedGraph::order_rows(Crew& crew, std::span<std::uint32_t const> degrees) {
  std::vector<std::uint64_t> kept(offsets_.size(), 0);
  crew.each_chunk(
      count(), rows_of_chunk, [&](pgas::Endpoint&, std::int64_t begin, std::int64_t end) {
        std::vector<std::uint64_t> keys;
        for (auto row = static_cast<std::size_t>(begin); std::cmp_less(row, end); ++row) {
          Vertex* const to = neighbours_.data() + offsets_[row];
          keys.clear();
          for (Vertex const vertex : neighbours(static_cast<std::int64_t>(row))) {
            keys.push_back((std::uint64_t{~degrees[vertex]} << 32U) | vertex);
          }
          std::ranges::sort(keys);
          auto const doubles = std::ranges::unique(keys);
          keys.erase(doubles.begin(), doubles.end());
          std::ranges::transform(keys, to,
                                 [](std::uint64_t key) { return static_cast<Vertex>(key); });
          kept[row + 1] = keys.size();
        }
      });
  for (std::size_t row = 1; row < kept.size(); ++row) kept[row] += kept[row - 1];
  std::vector<Vertex> closed_up(kept.back());
  crew.each_chunk(
      count(), rows_of_chunk, [&](pgas::Endpoint&, std::int64_t begin, std::int64_t end) {
        for (auto row = static_cast<std::size_t>(begin); std::cmp_less(row, end); ++row) {
          std::copy_n(neighbours_.data() + offsets_[row], kept[row + 1] - kept[row],
                      closed_up.data() + kept[row]);
        }
      });
  neighbours_ = std::move(closed_up);
  offsets_ = std::move(kept);
}

void DistributedGraph::count_all(Crew& crew) {
  std::int64_t connected = 0;
  for (std::int64_t row = 0; row < count(); ++row) connected += degree(row) > 0 ? 1 : 0;
  pgas::Team& team = crew.runtime().team();
  arcs_of_all_ = team.all_reduce_all(pgas::ReduceOp::sum, std::ssize(neighbours_));
  connected_of_all_ = team.all_reduce_all(pgas::ReduceOp::sum, connected);
}

}  // namespace makespan::graph500

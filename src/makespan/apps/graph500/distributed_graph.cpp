// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/graph500/distributed_graph.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "makespan/apps/graph500/detail/row_buckets.hpp"
#include "makespan/base/error.hpp"

namespace makespan::graph500 {

namespace {

// Of an image's inbox: 16 MiB.
constexpr std::int64_t inbox_arcs = std::int64_t{1} << 21U;
constexpr std::int64_t rows_of_chunk = 1024;

std::int64_t checked_vertices(std::int64_t vertices) {
  if (vertices < 1 || vertices > vertices_max) {
    throw InputError("a graph of " + std::to_string(vertices) + " vertices",
                     "they are numbered by 31 bits", "give 1 to 2^31");
  }
  return vertices;
}

void expect_vertices_all(ThreadPool& pool, VertexBlocks const& blocks,
                         std::span<Edge const> edges) {
  std::int64_t highest = -1;
  for (Edge const& edge : edges) {
    highest = std::max(highest, std::int64_t{std::max(edge.from, edge.to)});
  }
  highest = pool.runtime().team().all_reduce_all(pgas::ReduceOp::max, highest);
  if (highest < blocks.vertices()) return;
  throw InputError("an edge of vertex " + std::to_string(highest),
                   "the graph has " + std::to_string(blocks.vertices()) + ", from 0 on",
                   "give more vertices, or other edges");
}

std::vector<Arc> arcs_of(ThreadPool& pool, VertexBlocks const& blocks,
                         std::span<Edge const> edges) {
  expect_vertices_all(pool, blocks, edges);
  ArcExchange exchange(pool, blocks, std::max<std::int64_t>(inbox_arcs, 2 * blocks.images()));
  std::vector<Arc> arcs = exchange.exchange_all(edges);
  exchange.free_all();
  return arcs;
}

// Of most edges first; of equal ones the lowest number, so that doubles come beside each other. How
// many are left without these.
std::size_t ordered(Vertex* row, std::size_t count, std::span<std::uint32_t const> degrees,
                    std::vector<std::uint64_t>& keys) {
  keys.clear();
  for (Vertex const vertex : std::span(row, count)) {
    // Inverted, so that ascending keys have the largest degree first.
    keys.push_back((std::uint64_t{~degrees[vertex]} << 32U) | vertex);
  }
  std::ranges::sort(keys);
  auto const doubles = std::ranges::unique(keys);
  keys.erase(doubles.begin(), doubles.end());
  std::ranges::transform(keys, row, [](std::uint64_t key) { return static_cast<Vertex>(key); });
  return keys.size();
}

}  // namespace

DistributedGraph::DistributedGraph(ThreadPool& pool, std::int64_t vertices,
                                   std::span<Edge const> edges)
    : blocks_{checked_vertices(vertices), pool.runtime().images()},
      first_{blocks_.first(pool.runtime().image().value())},
      offsets_(static_cast<std::size_t>(blocks_.count(pool.runtime().image().value())) + 1) {
  RowBuckets const buckets(pool, arcs_of(pool, blocks_, edges), first_, count());
  count_rows(pool, buckets);
  fill_rows(pool, buckets, degrees_all(pool));
  count_all(pool);
}

// Without threads that meet in a row: what is counted is spread over more than a cache.
void DistributedGraph::count_rows(ThreadPool& pool, RowBuckets const& buckets) {
  pool.each_chunk(buckets.count(), 1, [&](pgas::Endpoint&, std::int64_t bucket, std::int64_t) {
    for (Arc const& arc : buckets.arcs(bucket)) ++offsets_[own(arc) + 1];
  });
  // Counts lie one place on, so that their sums are where rows begin.
  for (std::size_t row = 1; row < offsets_.size(); ++row) offsets_[row] += offsets_[row - 1];
}

// Of all vertices of all images. Edges that are there twice count twice.
std::vector<std::uint32_t> DistributedGraph::degrees_all(ThreadPool& pool) const {
  pgas::Runtime& runtime = pool.runtime();
  auto const shared = runtime.allocate_all<std::uint32_t>(blocks_.block(), "degrees");
  std::span<std::uint32_t> const mine = runtime.local(shared);
  for (std::int64_t row = 0; row < count(); ++row) {
    mine[static_cast<std::size_t>(row)] = static_cast<std::uint32_t>(degree(row));
  }
  runtime.team().barrier_all();
  // Blocks are fetched whole: the last image's as well, where fewer vertices are left.
  std::vector<std::uint32_t> degrees(static_cast<std::size_t>(blocks_.block() * blocks_.images()));
  pool.each_chunk(blocks_.images(), 1, [&](pgas::Endpoint& here, std::int64_t image, std::int64_t) {
    here.get(
        shared.at(ImageId{image}),
        std::span(degrees).subspan(static_cast<std::size_t>(blocks_.first(image)), mine.size()));
  });
  runtime.team().barrier_all();
  runtime.free_all(shared);
  return degrees;
}

void DistributedGraph::fill_rows(ThreadPool& pool, RowBuckets const& buckets,
                                 std::span<std::uint32_t const> degrees) {
  neighbours_.resize(offsets_.back());
  std::vector<std::uint64_t> kept(offsets_.size(), 0);
  pool.each_chunk(buckets.count(), 1, [&](pgas::Endpoint&, std::int64_t bucket, std::int64_t) {
    auto const begin = static_cast<std::size_t>(bucket * RowBuckets::rows_each);
    std::size_t const end = std::min(begin + RowBuckets::rows_each, offsets_.size() - 1);
    std::vector<std::uint64_t> next(offsets_.begin() + static_cast<std::ptrdiff_t>(begin),
                                    offsets_.begin() + static_cast<std::ptrdiff_t>(end));
    for (Arc const& arc : buckets.arcs(bucket)) neighbours_[next[own(arc) - begin]++] = arc.to;
    std::vector<std::uint64_t> keys;
    for (std::size_t row = begin; row < end; ++row) {
      kept[row + 1] = ordered(neighbours_.data() + offsets_[row], offsets_[row + 1] - offsets_[row],
                              degrees, keys);
    }
  });
  close_up(pool, std::move(kept));
}

// `kept` of each row, from its beginning.
void DistributedGraph::close_up(ThreadPool& pool, std::vector<std::uint64_t> kept) {
  // Edges that were there twice have left gaps at the ends of rows.
  for (std::size_t row = 1; row < kept.size(); ++row) kept[row] += kept[row - 1];
  std::vector<Vertex> closed_up(kept.back());
  pool.each_chunk(
      count(), rows_of_chunk, [&](pgas::Endpoint&, std::int64_t begin, std::int64_t end) {
        for (auto row = static_cast<std::size_t>(begin); std::cmp_less(row, end); ++row) {
          std::copy_n(neighbours_.data() + offsets_[row], kept[row + 1] - kept[row],
                      closed_up.data() + kept[row]);
        }
      });
  neighbours_ = std::move(closed_up);
  offsets_ = std::move(kept);
}

void DistributedGraph::count_all(ThreadPool& pool) {
  std::int64_t connected = 0;
  for (std::int64_t row = 0; row < count(); ++row) connected += degree(row) > 0 ? 1 : 0;
  pgas::Team& team = pool.runtime().team();
  arcs_of_all_ = team.all_reduce_all(pgas::ReduceOp::sum, std::ssize(neighbours_));
  connected_of_all_ = team.all_reduce_all(pgas::ReduceOp::sum, connected);
}

}  // namespace makespan::graph500

// SPDX-License-Identifier: Apache-2.0
#pragma once

// An undirected graph, the vertices of which are shared out among images: kernel 1 of Graph500.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "makespan/apps/graph500/detail/arc_exchange.hpp"
#include "makespan/apps/graph500/detail/row_buckets.hpp"
#include "makespan/apps/graph500/detail/vertex.hpp"
#include "makespan/apps/graph500/detail/vertex_blocks.hpp"
#include "makespan/apps/graph500/thread_pool.hpp"

namespace makespan::graph500 {

// In compressed sparse rows: of the vertices that this image owns, all neighbours, those of most
// edges first, so that a search from below finds one that is reached early. Without self loops, and
// each edge once. Immutable. Tested by tests/apps/graph500/distributed_graph_test.cpp.
class DistributedGraph {
 public:
  // Collective over the pool's images; blocks. `edges` are those that this image adds to the list,
  // in any order. Throws InputError, on all images, on a vertex that is not below `vertices`, and
  // unless there are 1 to 2^31.
  DistributedGraph(ThreadPool& pool, std::int64_t vertices, std::span<Edge const> edges);

  [[nodiscard]] VertexBlocks const& blocks() const { return blocks_; }
  // The first that this image owns, and how many it owns.
  [[nodiscard]] std::int64_t first() const { return first_; }
  [[nodiscard]] std::int64_t count() const { return std::ssize(offsets_) - 1; }
  // `own` counts the image's own vertices, from 0.
  [[nodiscard]] std::int64_t degree(std::int64_t own) const {
    auto const at = static_cast<std::size_t>(own);
    return static_cast<std::int64_t>(offsets_[at + 1] - offsets_[at]);
  }
  [[nodiscard]] std::span<Vertex const> neighbours(std::int64_t own) const {
    auto const at = static_cast<std::size_t>(own);
    return {neighbours_.data() + offsets_[at], neighbours_.data() + offsets_[at + 1]};
  }
  // Of all images: directed edges, so twice the undirected ones.
  [[nodiscard]] std::int64_t arcs_of_all() const { return arcs_of_all_; }
  // Of all images: vertices that have neighbours.
  [[nodiscard]] std::int64_t connected_of_all() const { return connected_of_all_; }

 private:
  [[nodiscard]] std::size_t own(Arc const& arc) const {
    return static_cast<std::size_t>(std::int64_t{arc.from} - first_);
  }
  void count_rows(ThreadPool& pool, RowBuckets const& buckets);
  [[nodiscard]] std::vector<std::uint32_t> degrees_all(ThreadPool& pool) const;
  void fill_rows(ThreadPool& pool, RowBuckets const& buckets,
                 std::span<std::uint32_t const> degrees);
  void close_up(ThreadPool& pool, std::vector<std::uint64_t> kept);
  void count_all(ThreadPool& pool);

  VertexBlocks blocks_;
  std::int64_t first_;
  std::vector<std::uint64_t> offsets_;  // of each own vertex in neighbours_, and the end
  std::vector<Vertex> neighbours_{};
  std::int64_t arcs_of_all_{0};
  std::int64_t connected_of_all_{0};
};

}  // namespace makespan::graph500

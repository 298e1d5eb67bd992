// SPDX-License-Identifier: Apache-2.0
#pragma once

// Edges on their way to the images that own their ends, by one-sided puts.
//
// Each image has an inbox with a part for each sender, so that places in it are handed out by the
// sender alone. In each round an image sends as many edges as surely fit, then all meet.

#include <cstdint>
#include <span>
#include <vector>

#include "makespan/apps/graph500/detail/vertex.hpp"
#include "makespan/apps/graph500/detail/vertex_blocks.hpp"
#include "makespan/apps/graph500/thread_pool.hpp"
#include "makespan/pgas/memory/symmetric_array.hpp"

namespace makespan::graph500 {

// One direction of an edge, at the owner of `from`. Plain data.
struct Arc {
  Vertex from{};
  Vertex to{};

  friend bool operator==(Arc const&, Arc const&) = default;
};

// Tested by tests/apps/graph500/arc_exchange_test.cpp.
class ArcExchange {
 public:
  // Collective. `capacity` arcs in each inbox, two for each image at least.
  ArcExchange(ThreadPool& pool, VertexBlocks const& blocks, std::int64_t capacity);

  // Collective; blocks. Both directions of all images' edges, self loops excepted: those that this
  // image owns, in any order. There are no vertices but those of the blocks.
  [[nodiscard]] std::vector<Arc> exchange_all(std::span<Edge const> edges);
  // Collective.
  void free_all();

 private:
  void send(std::span<Edge const> edges);
  void receive(std::vector<Arc>& received);

  ThreadPool& pool_;
  VertexBlocks blocks_;
  std::int64_t share_;  // of an inbox, for each sender
  pgas::SymmetricArray<Arc> inbox_;
  pgas::SymmetricArray<std::int64_t> received_;  // by sender, in this round
};

}  // namespace makespan::graph500

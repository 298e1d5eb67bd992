// SPDX-License-Identifier: Apache-2.0
// Goal: both directions of each edge come to their owners, once, however many rounds it takes.
// Method: a small list through an inbox that holds all of it, and one that holds little; counted
// here.
#include "makespan/apps/graph500/detail/arc_exchange.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "graph500_fixture.hpp"

namespace makespan::graph500 {
namespace {

using ArcExchangeTest = Graph500Test;

std::vector<Arc> sorted_arcs(std::vector<Arc> arcs) {
  std::ranges::sort(arcs, {}, [](Arc const& arc) { return std::tuple(arc.from, arc.to); });
  return arcs;
}

TEST_F(ArcExchangeTest, brings_arcs_to_their_owners) {
  KroneckerGraph const list({.scale = 8, .edge_factor = 4});
  std::vector<Edge> const edges = all_edges(list);
  VertexBlocks const blocks(list.vertices(), runtime.images());
  std::vector<Arc> own;
  for (Edge const& edge : edges) {
    if (edge.from == edge.to) continue;
    if (ImageId{blocks.owner(edge.from)} == runtime.image()) own.push_back({edge.from, edge.to});
    if (ImageId{blocks.owner(edge.to)} == runtime.image()) own.push_back({edge.to, edge.from});
  }

  for (int threads = 1; threads <= threads_max; ++threads) {
    ThreadPool pool(runtime, threads);
    for (std::int64_t const capacity : {100, 100'000}) {
      ArcExchange exchange(pool, blocks, capacity);
      // All from image 0, which is the most uneven way, and dealt out.
      std::vector<Edge> const none;
      std::vector<Arc> const from_one =
          exchange.exchange_all(runtime.image() == ImageId{0} ? edges : none);
      std::vector<Arc> const from_all = exchange.exchange_all(dealt(edges));
      exchange.free_all();

      EXPECT_EQ(sorted_arcs(from_one), sorted_arcs(own)) << capacity;
      EXPECT_EQ(sorted_arcs(from_all), sorted_arcs(own)) << capacity;
    }
  }
}

}  // namespace
}  // namespace makespan::graph500

// SPDX-License-Identifier: Apache-2.0
// Goal: roots are different vertices that have edges, the same on all images. Method: a small
// graph, and graphs that have fewer.
#include "makespan/apps/graph500/roots.hpp"

#include <gtest/gtest.h>

#include <set>
#include <span>
#include <vector>

#include "graph500_fixture.hpp"
#include "makespan/base/error.hpp"

namespace makespan::graph500 {
namespace {

using RootsTest = Graph500Test;

TEST_F(RootsTest, have_edges_and_are_the_same_everywhere) {
  KroneckerGraph const list({.scale = 10});
  std::vector<Edge> const edges = all_edges(list);
  std::set<Vertex> connected;
  for (Edge const& edge : edges) {
    if (edge.from == edge.to) continue;
    connected.insert(edge.from);
    connected.insert(edge.to);
  }
  ThreadPool pool(runtime, 1);
  DistributedGraph const graph(pool, list.vertices(), dealt(edges));

  std::vector<Vertex> const roots = choose_roots_all(pool, graph, specified_roots, 7);

  EXPECT_EQ(roots.size(), 64);
  EXPECT_EQ(std::set<Vertex>(roots.begin(), roots.end()).size(), 64);
  for (Vertex const root : roots) EXPECT_TRUE(connected.contains(root));
  std::vector<Vertex> const all = runtime.team().all_gather_all(std::span<Vertex const>(roots));
  for (std::size_t at = 0; at < all.size(); ++at) EXPECT_EQ(all[at], roots[at % roots.size()]);
  EXPECT_NE(choose_roots_all(pool, graph, specified_roots, 8), roots);
  // All that there are.
  std::vector<Vertex> const most = choose_roots_all(pool, graph, 5'000, 7);
  EXPECT_EQ(std::set<Vertex>(most.begin(), most.end()), connected);
}

TEST_F(RootsTest, are_none_where_all_edges_are_loops) {
  ThreadPool pool(runtime, 1);
  DistributedGraph const graph(pool, 100, dealt({{.from = 5, .to = 5}, {.from = 5, .to = 5}}));
  EXPECT_TRUE(choose_roots_all(pool, graph, 64, 1).empty());
  EXPECT_THROW(static_cast<void>(choose_roots_all(pool, graph, 0, 1)), InputError);
}

TEST_F(RootsTest, are_the_ends_of_a_single_edge) {
  ThreadPool pool(runtime, 1);
  DistributedGraph const graph(pool, 100, dealt({{.from = 5, .to = 99}}));
  std::vector<Vertex> const roots = choose_roots_all(pool, graph, 64, 1);
  EXPECT_EQ(std::set<Vertex>(roots.begin(), roots.end()), (std::set<Vertex>{5, 99}));
}

}  // namespace
}  // namespace makespan::graph500

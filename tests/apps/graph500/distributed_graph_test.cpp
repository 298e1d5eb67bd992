// SPDX-License-Identifier: Apache-2.0
// Goal: the graph is that of the edge list, for any number of threads and images. Method: sets of
// neighbours that are made here of the whole list.
#include "makespan/apps/graph500/distributed_graph.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "graph500_fixture.hpp"
#include "makespan/base/error.hpp"

namespace makespan::graph500 {
namespace {

using DistributedGraphTest = Graph500Test;

TEST_F(DistributedGraphTest, has_each_edge_once_and_hubs_first) {
  KroneckerGraph const list({.scale = 9});
  std::vector<Edge> const edges = all_edges(list);
  std::vector<std::set<Vertex>> sets(static_cast<std::size_t>(list.vertices()));
  std::vector<std::int64_t> listed(sets.size());
  for (Edge const& edge : edges) {
    if (edge.from == edge.to) continue;
    sets[edge.from].insert(edge.to);
    sets[edge.to].insert(edge.from);
    ++listed[edge.from];
    ++listed[edge.to];
  }
  std::int64_t arcs = 0;
  std::int64_t connected = 0;
  for (auto const& set : sets) {
    arcs += std::ssize(set);
    connected += set.empty() ? 0 : 1;
  }

  for (int threads = 1; threads <= threads_max; ++threads) {
    ThreadPool pool(runtime, threads);
    DistributedGraph const graph(pool, list.vertices(), dealt(edges));
    EXPECT_EQ(graph.arcs_of_all(), arcs);
    EXPECT_EQ(graph.connected_of_all(), connected);
    for (std::int64_t own = 0; own < graph.count(); ++own) {
      auto const row = graph.neighbours(own);
      EXPECT_EQ(std::ssize(row), graph.degree(own));
      auto const& expected = sets[static_cast<std::size_t>(graph.first() + own)];
      EXPECT_EQ(std::set<Vertex>(row.begin(), row.end()), expected);
      EXPECT_EQ(row.size(), expected.size()) << "one is there twice";
      for (std::size_t at = 1; at < row.size(); ++at) {
        EXPECT_GE(listed[row[at - 1]], listed[row[at]]);
      }
    }
  }
}

TEST_F(DistributedGraphTest, may_be_empty) {
  ThreadPool pool(runtime, 1);
  DistributedGraph const graph(pool, 70, {});
  EXPECT_EQ(graph.arcs_of_all(), 0);
  EXPECT_EQ(graph.connected_of_all(), 0);
}

TEST_F(DistributedGraphTest, refuses_vertices_that_there_are_not) {
  ThreadPool pool(runtime, 2);
  EXPECT_THROW(DistributedGraph(pool, 0, {}), InputError);
  EXPECT_THROW(DistributedGraph(pool, vertices_max + 1, {}), InputError);
  // On all images, though one gives it.
  std::vector<Edge> const wrong{{.from = 3, .to = 10}};
  EXPECT_THROW(
      DistributedGraph(pool, 10, runtime.image() == ImageId{0} ? wrong : std::vector<Edge>{}),
      InputError);
}

}  // namespace
}  // namespace makespan::graph500

// SPDX-License-Identifier: Apache-2.0
// Goal: clusters are of objects that talk, no larger than allowed, and sum up what their objects
// are. Method: by hand, and random graphs.
#include "makespan/graph/partition/clusters.hpp"

#include <gtest/gtest.h>

#include <map>

#include "graph/small_graphs.hpp"
#include "makespan/graph/model/mapping_quality.hpp"

namespace makespan::graph {
namespace {

// Three triangles of objects of 1 ms that talk much, in a ring that talks little.
GraphColumns triangles() {
  GraphColumns columns = silent(std::vector(9, 1e-3));
  for (int first = 0; first < 9; first += 3) {
    add_edge(columns, first, first + 1, 100, 100);
    add_edge(columns, first + 1, first + 2, 100, 100);
    add_edge(columns, first + 2, first, 100, 100);
    add_edge(columns, first, (first + 3) % 9, 1, 7);
  }
  return columns;
}

TEST(Clusters, are_of_objects_that_talk) {
  Clusters const clusters = clusters_of(Graph(triangles()), equal_places(3), 3.5e-3);

  EXPECT_EQ(clusters.graph.objects(), 3);
  EXPECT_EQ(clusters.number, (std::vector<std::int32_t>{0, 0, 0, 1, 1, 1, 2, 2, 2}));
  EXPECT_NEAR(clusters.graph.work(1, 0).value(), 3e-3, 1e-15);
  ASSERT_EQ(clusters.graph.sent(0).size(), 1U);
  EXPECT_EQ(clusters.graph.sent(0)[0], (Traffic{1, 1.0F, 7.0}));
  EXPECT_EQ(clusters.spread({5, 6, 7}), (Mapping{5, 5, 5, 6, 6, 6, 7, 7, 7}));
}

TEST(Clusters, are_no_larger_than_allowed) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    Graph const graph(random_graph(seed, 300, 4, 6));
    Clusters const clusters = clusters_of(graph, equal_places(6), 5e-3);

    EXPECT_LT(clusters.graph.objects(), 200);
    for (int cluster = 0; cluster < clusters.graph.objects(); ++cluster) {
      EXPECT_LE(clusters.graph.work(cluster, 0).value(), 5e-3 + 1e-15);
    }
  }
}

TEST(Clusters, say_to_each_other_what_their_objects_say) {
  Graph const graph(random_graph(11, 300, 4, 6));
  Places const places = domains_of_places(3, 2);
  Clusters const clusters = clusters_of(graph, places, 5e-3);
  Mapping of_clusters;
  for (int cluster = 0; cluster < clusters.graph.objects(); ++cluster) {
    of_clusters.push_back(cluster % 6);
  }

  auto const coarse = quality_of(clusters.graph, places, of_clusters);
  auto const fine = quality_of(graph, places, clusters.spread(of_clusters));

  EXPECT_NEAR(coarse.phase.value(), fine.phase.value(), 1e-9);
  EXPECT_NEAR(coarse.place_bytes, fine.place_bytes, 1e-3);
}

TEST(Clusters, hold_at_most_one_object_that_may_not_move_and_are_where_it_is) {
  GraphColumns columns = triangles();
  columns.is_fixed = {0, 1, 1, 0, 0, 0, 0, 0, 0};
  columns.place = {0, 1, 2, 0, 0, 0, 0, 0, 0};

  Clusters const clusters = clusters_of(Graph(columns), equal_places(3), 1.0);

  std::map<std::int32_t, int> fixed;
  for (std::size_t object : {1U, 2U}) {
    std::int32_t const cluster = clusters.number[object];
    EXPECT_EQ(++fixed[cluster], 1);
    EXPECT_FALSE(clusters.graph.may_move(cluster));
    EXPECT_EQ(clusters.graph.now()[static_cast<std::size_t>(cluster)], columns.place[object]);
  }
}

TEST(Clusters, of_nothing_are_nothing) {
  EXPECT_EQ(clusters_of(Graph(GraphColumns{}), equal_places(2), 1.0).graph.objects(), 0);
}

}  // namespace
}  // namespace makespan::graph

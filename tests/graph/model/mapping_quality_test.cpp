// SPDX-License-Identifier: Apache-2.0
// Goal: each number says what its name says. Method: by hand.
#include "makespan/graph/model/mapping_quality.hpp"

#include <gtest/gtest.h>

#include "graph/small_graphs.hpp"

namespace makespan::graph {
namespace {

TEST(MappingQuality, counts_bytes_by_how_far_they_go) {
  Places const places = domains_of_places(4, 2);
  GraphColumns columns = silent({1, 1, 1, 1, 1});
  add_edge(columns, 0, 1, 1, 1);     // stays
  add_edge(columns, 0, 2, 1, 10);    // to the next place
  add_edge(columns, 0, 3, 1, 100);   // to the next domain
  add_edge(columns, 4, 0, 1, 1000);  // from another node
  Graph const graph(columns);

  MappingQuality const quality = quality_of(graph, places, Mapping{0, 0, 1, 2, 7});

  EXPECT_EQ(quality.place_bytes, 1110);
  EXPECT_EQ(quality.domain_bytes, 1100);
  EXPECT_EQ(quality.node_bytes, 1000);
}

TEST(MappingQuality, counts_moves) {
  GraphColumns columns = silent({1, 1, 1});
  columns.place = {0, 1, 1};
  columns.bytes = {5, 7, 11};

  MappingQuality const quality = quality_of(Graph(columns), equal_places(2), Mapping{1, 1, 0});

  EXPECT_EQ(quality.moves, 2);
  EXPECT_EQ(quality.moved_bytes, 16);
}

TEST(MappingQuality, weighs_imbalance_by_speed) {
  Graph const graph(silent({1, 4, 1, 1}));
  Places const places = places_of_speeds({1, 4});

  EXPECT_DOUBLE_EQ(quality_of(graph, places, Mapping{0, 1, 1, 1}).imbalance, 1.5 / 1.4);
  EXPECT_DOUBLE_EQ(quality_of(graph, places, Mapping{0, 0, 0, 0}).imbalance, 7.0 / 1.4);
  EXPECT_DOUBLE_EQ(quality_of(Graph(silent({0})), places, Mapping{0}).imbalance, 1.0);
}

}  // namespace
}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
// Goal: whole numbers in proportion, edges at both ends. Method: by hand.
#include "makespan/graph/partition/partitioner_input.hpp"

#include <gtest/gtest.h>

#include "graph/small_graphs.hpp"

namespace makespan::graph {
namespace {

TEST(InProportion, keeps_ratios_and_is_never_nothing) {
  EXPECT_EQ(in_proportion(std::vector<double>{1, 3}, 8), (std::vector<std::int32_t>{2, 6}));
  EXPECT_EQ(in_proportion(std::vector<double>{0, 3}, 8), (std::vector<std::int32_t>{1, 8}));
  EXPECT_EQ(in_proportion(std::vector<double>{0, 0}, 8), (std::vector<std::int32_t>{1, 1}));
}

TEST(PartitionerInput, has_each_edge_at_both_ends) {
  GraphColumns columns = silent({1, 1, 2});
  add_edge(columns, 0, 1, 1, 0);
  add_edge(columns, 2, 1, 3, 0);

  PartitionerInput const input =
      partitioner_input(CommunicationGraph(Graph(columns), equal_places(2)), {1, 1, 2});

  EXPECT_EQ(input.vertices(), 3);
  EXPECT_EQ(input.begin, (std::vector<std::int32_t>{0, 1, 3, 4}));
  EXPECT_EQ(input.other, (std::vector<std::int32_t>{1, 0, 2, 1}));
  // 2^29 over 1 + 1 + 3 + 3, and over 1 + 1 + 2.
  EXPECT_EQ(input.edge_weight, (std::vector<std::int32_t>{1 << 26, 1 << 26, 3 << 26, 3 << 26}));
  EXPECT_EQ(input.vertex_weight, (std::vector<std::int32_t>{1 << 27, 1 << 27, 1 << 28}));
}

}  // namespace
}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
// Goal: both directions of all edges between two objects are one. Method: by hand.
#include "makespan/graph/partition/communication_graph.hpp"

#include <gtest/gtest.h>

#include "graph/small_graphs.hpp"

namespace makespan::graph {
namespace {

void expect_talk(CommunicationEdge const& talk, int other, double cost_s) {
  EXPECT_EQ(talk.other, other);
  EXPECT_DOUBLE_EQ(talk.cost_s, cost_s);
}

TEST(CommunicationGraph, adds_up_both_ways) {
  GraphColumns columns = silent({1, 1, 1});
  add_edge(columns, 0, 1, 1, 1000);
  add_edge(columns, 1, 0, 2, 0);
  add_edge(columns, 0, 1, 3, 0);
  add_edge(columns, 2, 0, 0, 500);

  CommunicationGraph const communication(Graph(columns), equal_places(2));

  ASSERT_EQ(communication.objects(), 3);
  ASSERT_EQ(communication.of(0).size(), 2U);
  expect_talk(communication.of(0)[0], 1, 7e-6);
  expect_talk(communication.of(0)[1], 2, 0.5e-6);
  ASSERT_EQ(communication.of(1).size(), 1U);
  expect_talk(communication.of(1)[0], 0, 7e-6);
  ASSERT_EQ(communication.of(2).size(), 1U);
  expect_talk(communication.of(2)[0], 0, 0.5e-6);
}

TEST(CommunicationGraph, takes_the_mean_over_domains) {
  GraphColumns columns = silent({1, 1});
  add_edge(columns, 0, 1, 1, 0);

  // 1, 2, 2 and 1 us.
  EXPECT_DOUBLE_EQ(CommunicationGraph(Graph(columns), domains_of_places(2, 1)).of(1)[0].cost_s,
                   1.5e-6);
}

}  // namespace
}  // namespace makespan::graph

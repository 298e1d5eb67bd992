// SPDX-License-Identifier: Apache-2.0
// Goal: the cost, by hand. Method: golden mappings. (The rule: list_schedule_test.cpp.)
#include "makespan/graph/balancer/nuco.hpp"

#include <gtest/gtest.h>

#include "graph/small_graphs.hpp"

namespace makespan::graph {
namespace {

// 3 and 2 work at the first of two places of a node, domains of their own; the first says something
// to the second.
Mapping nuco(double messages, double bytes) {
  GraphColumns columns = silent({3e-6, 2e-6});
  add_edge(columns, 0, 1, messages, bytes);
  return NucoBalancer({}).map(Graph(columns), domains_of_places(2, 1));
}

TEST(Nuco, weighs_messages_and_bytes_by_seconds) {
  // In microseconds. 3 goes to the second place. Of 2 messages 2 makes 2 + 2 · 2 and 5 + 2 · 1, of
  // 4 messages 10 and 9; of 4000 bytes as well.
  EXPECT_EQ(nuco(2, 0), (Mapping{1, 0}));
  EXPECT_EQ(nuco(4, 0), (Mapping{1, 1}));
  EXPECT_EQ(nuco(0, 4000), (Mapping{1, 1}));
}

}  // namespace
}  // namespace makespan::graph

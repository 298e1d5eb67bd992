// SPDX-License-Identifier: Apache-2.0
// Goal: greedy's groups, laid out, all objects with their group. Method: by hand.
#include "makespan/graph/balancer/tree_match.hpp"

#include <gtest/gtest.h>

#include "graph/small_graphs.hpp"

namespace makespan::graph {
namespace {

TEST(TreeMatch, moves_every_object_with_its_group) {
  // Greedy: the four heavy ones to 0, 1, 2, 3, the light ones after them. Then groups 0 and 2,
  // which talk most, share the first domain.
  GraphColumns columns = silent({4e-3, 4e-3, 4e-3, 4e-3, 1e-3, 1e-3, 1e-3, 1e-3});
  add_edge(columns, 0, 6, 1, 10'000);
  add_edge(columns, 2, 0, 1, 10'000);
  add_edge(columns, 1, 7, 1, 5'000);

  EXPECT_EQ(TreeMatchBalancer({}).map(Graph(columns), domains_of_places(2, 2)),
            (Mapping{0, 2, 1, 3, 0, 2, 1, 3}));
}

}  // namespace
}  // namespace makespan::graph

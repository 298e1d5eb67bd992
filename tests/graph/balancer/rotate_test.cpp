// SPDX-License-Identifier: Apache-2.0
// Goal: each object goes to the next place. Method: by hand.
#include "makespan/graph/balancer/rotate.hpp"

#include <gtest/gtest.h>

#include "graph/small_graphs.hpp"

namespace makespan::graph {
namespace {

TEST(Rotate, goes_to_the_next_place) {
  GraphColumns columns = silent({1, 1, 1, 1});
  columns.place = {0, 1, 2, 0};
  columns.is_fixed = {0, 0, 0, 1};

  EXPECT_EQ(RotateBalancer({}).map(Graph(columns), equal_places(3)), (Mapping{1, 2, 0, 0}));
}

}  // namespace
}  // namespace makespan::graph

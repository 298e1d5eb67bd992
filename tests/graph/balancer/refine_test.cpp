// SPDX-License-Identifier: Apache-2.0
// Goal: the rule, on graphs small enough to do by hand. Method: golden mappings.
#include "makespan/graph/balancer/refine.hpp"

#include <gtest/gtest.h>

#include "graph/small_graphs.hpp"

namespace makespan::graph {
namespace {

Mapping refine(GraphColumns const& columns, Places const& places, double tolerance) {
  return RefineBalancer({{"tolerance", tolerance}}).map(Graph(columns), places);
}

GraphColumns ten_and_two() {
  GraphColumns columns = silent({5, 3, 2, 1, 1});
  columns.place = {0, 0, 0, 1, 1};
  return columns;
}

TEST(Refine, gives_away_the_heaviest_that_fits) {
  // Mean 6. 5 would make 7 of 2; 3 makes 5 of 2, and leaves 7; 2 would then make 7 of 5.
  EXPECT_EQ(refine(ten_and_two(), equal_places(2), 1.0), (Mapping{0, 1, 0, 1, 1}));
}

TEST(Refine, stops_when_the_place_is_early_enough) {
  // Up to 7.2: 5 makes 7 of 2, and leaves 5.
  EXPECT_EQ(refine(ten_and_two(), equal_places(2), 1.2), (Mapping{1, 0, 0, 1, 1}));
}

TEST(Refine, touches_nothing_that_is_early_enough) {
  EXPECT_EQ(refine(ten_and_two(), equal_places(2), 2.0), ten_and_two().place);
}

TEST(Refine, knows_speeds) {
  // 10 at speed 1, mean 2, up to 2.1: the 4s make 1 and 2 at speed 4 and leave 2.
  EXPECT_EQ(refine(silent({4, 4, 2}), places_of_speeds({1, 4}), 1.05), (Mapping{1, 1, 0}));
}

}  // namespace
}  // namespace makespan::graph

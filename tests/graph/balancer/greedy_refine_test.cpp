// SPDX-License-Identifier: Apache-2.0
// Goal: the rule, on graphs small enough to do by hand. Method: golden mappings.
#include "makespan/graph/balancer/greedy_refine.hpp"

#include <gtest/gtest.h>

#include "graph/small_graphs.hpp"

namespace makespan::graph {
namespace {

Mapping greedy_refine(GraphColumns const& columns, Places const& places,
                      OptionValues const& options = {}) {
  return GreedyRefineBalancer(options).map(Graph(columns), places);
}

TEST(GreedyRefine, keeps_objects_at_home_up_to_greedys_longest) {
  // Greedy: 4 | 3 3, 2 to the first: 6. Here 4 stays (4); 3 would make 7, so it goes; so does the
  // other, since 4 + 3 is later than 3 + 3; 2 would make 8 at home, so it goes.
  GraphColumns columns = silent({4, 3, 3, 2});
  columns.place = {0, 0, 0, 1};

  EXPECT_EQ(greedy_refine(columns, equal_places(2)), (Mapping{0, 1, 1, 0}));
}

TEST(GreedyRefine, moves_nothing_that_is_well_placed) {
  GraphColumns columns = silent({4, 3, 3, 2});
  columns.place = {1, 0, 0, 1};

  EXPECT_EQ(greedy_refine(columns, equal_places(2)), columns.place);
}

TEST(GreedyRefine, keeps_more_at_home_with_more_tolerance) {
  // M = 2 · 6: the first place's 10 stay.
  GraphColumns columns = silent({4, 3, 3, 2});
  columns.place = {0, 0, 0, 1};

  EXPECT_EQ(greedy_refine(columns, equal_places(2), {{"tolerance", 2.0}}), columns.place);
}

TEST(GreedyRefine, knows_speeds) {
  // Greedy: 8 and 4 at speed 4 (3), 2 and 1 at speed 1 (3). At home 8 (2), 4 (3); 2 would make 3.5
  // and 1 then 3.25.
  GraphColumns columns = silent({1, 2, 4, 8});
  columns.place = {1, 1, 1, 1};

  EXPECT_EQ(greedy_refine(columns, places_of_speeds({1, 4})), (Mapping{0, 0, 1, 1}));
}

}  // namespace
}  // namespace makespan::graph

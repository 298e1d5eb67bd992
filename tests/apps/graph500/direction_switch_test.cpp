// SPDX-License-Identifier: Apache-2.0
// Goal: the direction changes where the paper says. Method: frontiers of a search that grows and
// shrinks.
#include "makespan/apps/graph500/detail/direction_switch.hpp"

#include <gtest/gtest.h>

namespace makespan::graph500 {
namespace {

TEST(DirectionSwitchTest, goes_to_bottom_up_and_back) {
  DirectionSwitch directions({.alpha = 10.0, .beta = 20.0}, 1000);

  EXPECT_EQ(directions.next({.vertices = 1, .arcs = 100}, 10'000), Direction::top_down);
  EXPECT_EQ(directions.next({.vertices = 90, .arcs = 900}, 8'900), Direction::bottom_up);
  EXPECT_EQ(directions.next({.vertices = 600, .arcs = 6'000}, 2'000), Direction::bottom_up);
  EXPECT_EQ(directions.next({.vertices = 51, .arcs = 60}, 1'000), Direction::bottom_up);
  EXPECT_EQ(directions.next({.vertices = 49, .arcs = 60}, 900), Direction::top_down);
  EXPECT_EQ(directions.next({.vertices = 10, .arcs = 899}, 1), Direction::top_down) << "it shrinks";
}

TEST(DirectionSwitchTest, stays_where_it_is_told_to) {
  for (Direction const only : {Direction::top_down, Direction::bottom_up}) {
    DirectionSwitch directions({.direction = only}, 1000);
    EXPECT_EQ(directions.next({.vertices = 1, .arcs = 1}, 10'000), only);
    EXPECT_EQ(directions.next({.vertices = 900, .arcs = 9'000}, 1'000), only);
    EXPECT_EQ(directions.next({.vertices = 1, .arcs = 1}, 1), only);
  }
}

}  // namespace
}  // namespace makespan::graph500

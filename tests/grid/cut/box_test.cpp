// SPDX-License-Identifier: Apache-2.0
// Goal: boxes count, hold, move, grow and meet. Method: by hand.
#include "makespan/grid/cut/box.hpp"

#include <gtest/gtest.h>

namespace makespan::grid {
namespace {

constexpr Box box{{1, 2, 3}, {4, 6, 8}};

TEST(Box, has_the_points_from_its_begin_up_to_its_end) {
  EXPECT_EQ(box.extent(), (Point{3, 4, 5}));
  EXPECT_EQ(box.points(), 60);
  EXPECT_TRUE(box.holds({1, 2, 3}));
  EXPECT_TRUE(box.holds({3, 5, 7}));
  EXPECT_FALSE(box.holds({4, 5, 7}));
  EXPECT_FALSE(box.holds({3, 6, 7}));
  EXPECT_FALSE(box.holds({3, 5, 8}));
  EXPECT_FALSE(box.holds({0, 5, 7}));
}

TEST(Box, without_an_extent_along_one_axis_is_empty) {
  EXPECT_TRUE((Box{{0, 0, 0}, {5, 0, 5}}.is_empty()));
  EXPECT_EQ((Box{{0, 0, 0}, {5, -2, 5}}.points()), 0);
  EXPECT_EQ((Box{{0, 3, 3}, {5, 2, 2}}.points()), 0);
  EXPECT_FALSE(box.is_empty());
}

TEST(Box, moves_and_grows) {
  EXPECT_EQ(moved(box, {10, 0, -3}), (Box{{11, 2, 0}, {14, 6, 5}}));
  EXPECT_EQ(grown(box, 2), (Box{{-1, 0, 1}, {6, 8, 10}}));
  EXPECT_TRUE(grown(box, -2).is_empty());
}

TEST(Box, meets_others) {
  EXPECT_EQ(intersection(box, {{2, 0, 0}, {9, 9, 4}}), (Box{{2, 2, 3}, {4, 6, 4}}));
  EXPECT_TRUE(intersection(box, {{4, 2, 3}, {9, 9, 9}}).is_empty());
}

}  // namespace
}  // namespace makespan::grid

// SPDX-License-Identifier: Apache-2.0
// Goal: sources are found by rows; both sides of a channel face each other.
#include "makespan/apps/calcium/sources.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace makespan::calcium {
namespace {

TEST(Sources, both_sides_of_a_channel_look_at_each_other) {
  Source const channel{.voxel = {4, 5, 6},
                       .face = grid::Face::y_low,
                       .exchange = 0.5,
                       .amount = 2,
                       .step_begin = 1,
                       .step_end = 3};

  auto const sides = both_sides(channel);

  ASSERT_EQ(sides.size(), 2U);
  EXPECT_EQ(sides[0].voxel, channel.voxel);
  EXPECT_EQ(sides[1].voxel, (grid::Point{4, 4, 6}));
  EXPECT_EQ(sides[1].face, grid::Face::y_high);
  EXPECT_EQ(sides[1].exchange, 0.5);
  EXPECT_EQ(sides[1].amount, -2);
  EXPECT_EQ(both_sides(sides[1])[1].voxel, channel.voxel);
  EXPECT_EQ(both_sides({.face = grid::Face::x_high})[1].voxel, (grid::Point{1, 0, 0}));
  EXPECT_EQ(both_sides({.face = grid::Face::z_low})[1].voxel, (grid::Point{0, 0, -1}));
}

TEST(Sources, are_found_by_rows_in_the_order_of_x) {
  Sources const sources{{{.voxel = {5, 1, 2}, .amount = 1},
                         {.voxel = {3, 1, 2}, .amount = 2},
                         {.voxel = {3, 2, 1}, .amount = 3},
                         {.voxel = {3, 1, 2}, .amount = 4}}};

  auto const row = sources.in_row(1, 2);

  ASSERT_EQ(row.size(), 3U);
  EXPECT_EQ(row[0].amount, 2);
  EXPECT_EQ(row[1].amount, 4);
  EXPECT_EQ(row[2].amount, 1);
  EXPECT_EQ(sources.in_row(2, 1).size(), 1U);
  EXPECT_TRUE(sources.in_row(2, 2).empty());
  EXPECT_EQ(sources.all().size(), 4U);
}

TEST(Sources, know_the_next_row_of_a_plane_that_has_some) {
  Sources const sources{{{.voxel = {5, 4, 2}}, {.voxel = {3, 1, 2}}, {.voxel = {3, 2, 1}}}};

  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(sources.next_row(0, 2), 1);
  EXPECT_EQ(sources.next_row(1, 2), 1);
  EXPECT_EQ(sources.next_row(2, 2), 4);
  EXPECT_EQ(sources.next_row(5, 2), none);
  EXPECT_EQ(sources.next_row(0, 1), 2);
  EXPECT_EQ(sources.next_row(0, 0), none);
  EXPECT_EQ(sources.next_row(0, 3), none);
}

TEST(Sources, exchanges_of_a_voxel_count_together_while_they_last) {
  std::vector<Source> const sources{
      {.voxel = {1, 1, 1}, .exchange = 0.25, .step_begin = 0, .step_end = 10},
      {.voxel = {1, 1, 1}, .exchange = 0.5, .step_begin = 10, .step_end = 20},
      {.voxel = {1, 1, 1}, .exchange = 0.125, .step_begin = 5, .step_end = 12},
      {.voxel = {1, 1, 2}, .exchange = 0.5, .step_begin = 0, .step_end = 99}};

  EXPECT_EQ(exchange_max(sources), 0.625);
  EXPECT_EQ(exchange_max({}), 0);
}

TEST(Sources, that_follow_one_another_exchange_no_more_than_one) {
  std::vector<Source> sources;
  for (std::int64_t step = 0; step < 100; ++step) {
    sources.push_back(
        {.voxel = {1, 1, 1}, .exchange = 0.1, .step_begin = step, .step_end = step + 1});
  }
  sources.push_back({.voxel = {1, 1, 1}, .exchange = 0.5, .step_begin = 3, .step_end = 3});

  EXPECT_EQ(exchange_max(sources), 0.1);
}

// An order may bring as many as it has bytes: pairs of them would take minutes.
TEST(Sources, of_one_voxel_may_be_a_hundred_thousand) {
  constexpr std::int64_t count = 100'000;
  std::vector<Source> sources;
  for (std::int64_t at = 0; at < count; ++at) {
    sources.push_back(
        {.voxel = {1, 1, 1}, .exchange = 0.25, .step_begin = at, .step_end = 2 * count});
  }

  EXPECT_EQ(exchange_max(sources), 0.25 * count);
}

}  // namespace
}  // namespace makespan::calcium

// SPDX-License-Identifier: Apache-2.0
// Goal: a piece is overdue, and its thread lost, when the rule says so and once each; time that the
// watcher did not see does not count. Method: looks at one or two threads, told one by one.
#include "makespan/bag/protocol/overdue_watch.hpp"

#include <gtest/gtest.h>

#include "makespan/base/error.hpp"

namespace makespan::bag {
namespace {

using Finding = OverdueWatch::Finding;

constexpr OverdueRule rule{.multiple = 4.0, .floor = Seconds{2.0}, .limit = Seconds{10.0}};
constexpr std::uint64_t piece = 77;

// What the first looks find that find anything, half a second apart, after how many.
int looks_until(OverdueWatch& watch, Finding wanted, Seconds predicted) {
  for (int looks = 1; looks <= 100; ++looks) {
    if (watch.look(0, piece, predicted, Seconds{0.5}) == wanted) return looks;
  }
  return -1;
}

TEST(OverdueWatch, finds_a_piece_overdue_after_the_multiple_of_its_prediction) {
  OverdueWatch watch(1, rule);

  EXPECT_EQ(looks_until(watch, Finding::overdue, Seconds{1.0}), 9);  // the first sees it begin
  EXPECT_EQ(watch.at_it(0), Seconds{4.0});
}

TEST(OverdueWatch, finds_no_piece_overdue_before_the_floor) {
  OverdueWatch watch(1, rule);

  EXPECT_EQ(looks_until(watch, Finding::overdue, Seconds{0.001}), 5);
}

TEST(OverdueWatch, says_each_thing_once) {
  OverdueWatch watch(1, rule);

  EXPECT_GT(looks_until(watch, Finding::overdue, Seconds{1.0}), 0);
  EXPECT_EQ(looks_until(watch, Finding::overdue, Seconds{1.0}), -1);
  OverdueWatch other(1, rule);
  EXPECT_EQ(looks_until(other, Finding::lost, Seconds{1.0}), 21);
  EXPECT_EQ(looks_until(other, Finding::lost, Seconds{1.0}), -1);
}

TEST(OverdueWatch, knows_without_a_prediction_only_what_is_lost) {
  OverdueWatch watch(1, rule);

  for (int look = 1; look <= 20; ++look) {
    EXPECT_EQ(watch.look(0, piece, Seconds{}, Seconds{0.5}), Finding::none);
  }
  EXPECT_EQ(watch.look(0, piece, Seconds{}, Seconds{0.5}), Finding::lost);
}

TEST(OverdueWatch, begins_again_with_each_piece) {
  OverdueWatch watch(1, rule);
  for (std::uint64_t next = 1; next < 100; ++next) {
    EXPECT_EQ(watch.look(0, next, Seconds{0.001}, Seconds{0.9}), Finding::none);
    EXPECT_EQ(watch.look(0, next, Seconds{0.001}, Seconds{0.9}), Finding::none);
  }
  EXPECT_EQ(watch.look(0, 0, Seconds{}, Seconds{0.9}), Finding::none);
  EXPECT_EQ(watch.at_it(0), Seconds{});
}

// The process was stopped for an hour: its threads have not hung for one.
TEST(OverdueWatch, does_not_count_what_it_did_not_see) {
  OverdueWatch watch(2, rule);
  watch.look(0, piece, Seconds{0.001}, Seconds{0.5});

  EXPECT_EQ(watch.look(0, piece, Seconds{0.001}, Seconds{3600.0}), Finding::none);
  EXPECT_EQ(watch.at_it(0), OverdueWatch::look_max);
}

TEST(OverdueWatch, refuses_invalid_rules) {
  expect_valid(rule);
  expect_valid({});
  EXPECT_THROW(expect_valid({.multiple = 0.5}), InputError);
  EXPECT_THROW(expect_valid({.floor = Seconds{-1.0}}), InputError);
  EXPECT_THROW(expect_valid({.limit = Seconds{0.0}}), InputError);
  EXPECT_THROW(expect_no_limit(rule), InputError);
  expect_no_limit({});
}

}  // namespace
}  // namespace makespan::bag

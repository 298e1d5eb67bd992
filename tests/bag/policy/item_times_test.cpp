// SPDX-License-Identifier: Apache-2.0
// Goal: mean and spread of an item's time come out of sums over chunks. Method: chunks worked out
// by hand.
#include "makespan/bag/policy/detail/item_times.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "makespan/base/contracts.hpp"

namespace makespan::bag {
namespace {

ChunkReport report(int worker, double work, double seconds) {
  return {.worker = worker,
          .step = 0,
          .items = 1,
          .work = Work{work},
          .computing = Seconds{seconds},
          .with_claim = Seconds{seconds}};
}

// Items cost 2 on average.
LoopFacts loop_of(int workers, double spread = 0.0) {
  return {.items = 50, .work = Work{100}, .item_cost_spread = spread, .workers = workers};
}

// Times per item 1 and 2 with weights 4 and 1: mean 1.2, squared distances 4 * 0.04 + 0.64 = 0.8.
TEST(TimePerItem, weighs_chunks_by_their_items) {
  TimePerItem time;
  time.add(4.0, Seconds{4.0});
  time.add(1.0, Seconds{2.0});

  EXPECT_DOUBLE_EQ(time.mean().value(), 1.2);
  EXPECT_DOUBLE_EQ(time.relative_variance(), 0.8 / 1.44);
}

TEST(TimePerItem, has_no_variance_of_one_chunk) {
  TimePerItem time;
  EXPECT_EQ(time.relative_variance(), 0.0);
  time.add(4.0, Seconds{4.0});
  EXPECT_EQ(time.relative_variance(), 0.0);
}

// An item, 2 of work, takes 1 s on one worker and 3 s on the other: 4/3 items a second together.
TEST(ItemTimes, has_the_mean_of_a_worker_of_average_speed) {
  ItemTimes times;
  times.begin(loop_of(3));
  times.record(report(0, 2.0, 1.0));
  times.record(report(1, 4.0, 6.0));

  EXPECT_DOUBLE_EQ(times.mean().value(), 1.5);
}

// Neither the predicted cost of items nor the speed of workers is spread.
TEST(ItemTimes, has_no_spread_where_times_are_as_predicted) {
  ItemTimes times;
  times.begin(loop_of(2));
  for (double const work : {2.0, 20.0, 4.0, 6.0}) {
    times.record(report(0, work, work));
    times.record(report(1, work, 40.0 * work));
  }

  EXPECT_NEAR(times.spread(), 0.0, 1e-7);
}

// One item each in 0.5, 1.5, 0.5 and 1.5 s: squared distances 4 * 0.25 over 3.
TEST(ItemTimes, adds_what_the_prediction_does_not_explain) {
  ItemTimes times;
  times.begin(loop_of(1, 2.0));
  EXPECT_DOUBLE_EQ(times.spread(), 2.0);
  for (double const seconds : {0.5, 1.5, 0.5, 1.5}) times.record(report(0, 2.0, seconds));

  EXPECT_NEAR(times.spread(), std::sqrt(4.0 + 1.0 / 3.0), 1e-12);
  EXPECT_NEAR(times.deviation().value(), std::sqrt(4.0 + 1.0 / 3.0), 1e-12);
}

TEST(ItemTimes, waits_for_three_chunks_beyond_the_first) {
  ItemTimes times;
  times.begin(loop_of(1));
  for (double const seconds : {0.5, 1.5, 0.5}) times.record(report(0, 2.0, seconds));

  EXPECT_EQ(times.spread(), 0.0);
}

TEST(ItemTimes, takes_what_the_user_gives) {
  constexpr std::array help{item_s_mean_help, item_s_deviation_help};
  OptionValues const given{{"item_s_mean", 2.0}, {"item_s_deviation", 3.0}};
  ItemTimes times{CheckedOptions("made_up", help, given)};
  times.begin(loop_of(1, 5.0));
  times.record(report(0, 2.0, 1.0));

  EXPECT_EQ(times.mean(), Seconds{2.0});
  EXPECT_EQ(times.spread(), 1.5);
  EXPECT_EQ(times.deviation(), Seconds{3.0});
}

TEST(ItemTimes, stays_finite_whatever_the_user_gives) {
  constexpr std::array help{item_s_mean_help, item_s_deviation_help};
  OptionValues const given{{"item_s_mean", 1e-320}, {"item_s_deviation", 3600.0}};
  ItemTimes const times{CheckedOptions("made_up", help, given)};

  EXPECT_EQ(times.spread(), 1e9);
}

TEST(ItemTimes, knows_nothing_before_a_chunk_was_timed) {
  ItemTimes times;
  times.begin(loop_of(2));
  times.record(report(0, 2.0, 0.0));

  EXPECT_EQ(times.mean(), Seconds{});
  EXPECT_EQ(times.spread(), 0.0);
  EXPECT_EQ(times.deviation(), Seconds{});
}

TEST(ItemTimes, expects_workers_of_the_loop) {
  ItemTimes times;
  times.begin(loop_of(2));

  EXPECT_THROW(times.record(report(2, 1.0, 1.0)), ContractViolated);
}

}  // namespace
}  // namespace makespan::bag

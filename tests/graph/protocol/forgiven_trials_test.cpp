// SPDX-License-Identifier: Apache-2.0
// Goal: what a trial cost because a place became slower is not the move's doing, once.
// Method: phases by hand, as balance_trigger_test.cpp.
#include <gtest/gtest.h>

#include "makespan/graph/protocol/balance_trigger.hpp"
#include "trigger_phases.hpp"

namespace makespan::graph {
namespace {

// A place that becomes half as fast while a move is on trial, and stays so.
PhaseFacts const slowed{.phase_s = 4.0, .longest_s = 4.0, .mean_s = 1.5};

void go_back_as_a_place_slows(BalanceTrigger& trigger) {
  make_a_move(trigger);
  ASSERT_EQ(trigger.end_phase(slowed), BalanceAdvice::go_back);
  trigger.went_back(3e-3);
}

TEST(ForgivenTrials, forgives_a_trial_in_which_a_place_became_slower) {
  BalanceTrigger trigger({});
  go_back_as_a_place_slows(trigger);
  EXPECT_NEAR(trigger.wasted_s(), 2.005, 1e-12);

  // The phase that was too long would have been as long without the move.
  EXPECT_LE(phases_until(trigger, slowed, BalanceAdvice::look), 12);
  EXPECT_NEAR(trigger.wasted_s(), 0.005, 1e-12);
}

TEST(ForgivenTrials, forgives_a_trial_by_as_much_as_phases_are_longer_without_the_move) {
  BalanceTrigger trigger({});
  go_back_as_a_place_slows(trigger);

  PhaseFacts const a_little_slower{.phase_s = 2.5, .longest_s = 2.5, .mean_s = 1.1};
  for (int phase = 0; phase < 7; ++phase) static_cast<void>(trigger.end_phase(a_little_slower));
  EXPECT_NEAR(trigger.wasted_s(), 2.005, 1e-12) << "effects of the move may last";
  static_cast<void>(trigger.end_phase(a_little_slower));
  EXPECT_NEAR(trigger.wasted_s(), 1.505, 1e-12);
}

TEST(ForgivenTrials, forgives_nothing_where_the_mapping_before_is_as_fast_as_it_was) {
  BalanceTrigger trigger({});
  go_back_as_a_place_slows(trigger);

  EXPECT_GT(phases_until(trigger, uneven, BalanceAdvice::look), 40);
  EXPECT_NEAR(trigger.wasted_s(), 2.005, 1e-12);
}

// Its phases are those of another mapping before it is known what the first one's take.
TEST(ForgivenTrials, forgives_no_trial_of_which_the_next_move_comes_too_soon) {
  BalanceTrigger trigger({.phases = 20000});
  make_a_move(trigger);
  ASSERT_EQ(trigger.end_phase(slowed), BalanceAdvice::go_back);
  trigger.went_back(3e-3);
  ASSERT_EQ(phases_until(trigger, slowed, BalanceAdvice::look), 3);
  ASSERT_EQ(trigger.looked(halving), BalanceVerdict::move);
  trigger.moved(1e-3);
  double const wasted_s = trigger.wasted_s();

  // One that goes wrong: it is written down, and no phase makes up for it.
  PhaseFacts const hiccup{.phase_s = 10.0, .longest_s = 10.0, .mean_s = 3.75};
  for (int phase = 0; phase < 8; ++phase) {
    ASSERT_NE(trigger.end_phase(phase == 2 ? hiccup : slowed), BalanceAdvice::go_back);
  }
  EXPECT_NEAR(trigger.wasted_s(), wasted_s + 6.0, 1e-6);
}

// What comes again and again may be an effect of moves that outlasts them.
TEST(ForgivenTrials, forgives_the_last_trial_only) {
  BalanceTrigger trigger({});
  go_back_as_a_place_slows(trigger);
  ASSERT_LE(phases_until(trigger, slowed, BalanceAdvice::look), 12);
  ASSERT_EQ(trigger.looked(halving), BalanceVerdict::move);
  trigger.moved(1e-3);
  PhaseFacts const slower_still{.phase_s = 8.0, .longest_s = 8.0, .mean_s = 2.0};
  ASSERT_EQ(trigger.end_phase(slower_still), BalanceAdvice::go_back);
  trigger.went_back(3e-3);
  EXPECT_NEAR(trigger.wasted_s(), 4.01, 1e-9);

  for (int phase = 0; phase < 8; ++phase) static_cast<void>(trigger.end_phase(slower_still));
  EXPECT_NEAR(trigger.wasted_s(), 2.01, 1e-9);
}

}  // namespace
}  // namespace makespan::graph

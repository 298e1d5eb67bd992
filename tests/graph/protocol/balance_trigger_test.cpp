// SPDX-License-Identifier: Apache-2.0
// Goal: looks and moves come when they are worth their cost, and what does not help is taken back.
// Method: phases by hand. Whole runs are in balance_worlds_test.cpp.
#include "makespan/graph/protocol/balance_trigger.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "makespan/base/contracts.hpp"
#include "trigger_phases.hpp"

namespace makespan::graph {
namespace {

TEST(BalanceTrigger, never_looks_when_it_should_not) {
  BalanceTrigger trigger({.when = BalanceWhen::never});

  for (int phase = 0; phase < 100; ++phase) {
    EXPECT_EQ(trigger.end_phase(uneven), BalanceAdvice::none);
  }
}

TEST(BalanceTrigger, periodic_looks_every_so_often_and_does_what_it_is_told) {
  BalanceTrigger trigger({.when = BalanceWhen::periodic, .every = 3});

  for (int round = 0; round < 5; ++round) {
    EXPECT_FALSE(trigger.looks_after_next());
    EXPECT_EQ(phases_until(trigger, even, BalanceAdvice::look), 3);
    EXPECT_EQ(trigger.looked({.predicted_now_s = 1.0, .predicted_new_s = 2.0}),
              BalanceVerdict::move);
    EXPECT_FALSE(trigger.begins_trial());
    trigger.moved(10.0);
  }
}

TEST(BalanceTrigger, knows_ahead_when_it_is_periodic) {
  BalanceTrigger trigger({.when = BalanceWhen::periodic, .every = 2});

  static_cast<void>(trigger.end_phase(even));

  EXPECT_TRUE(trigger.looks_after_next());
  EXPECT_FALSE(BalanceTrigger({}).looks_after_next());
}

TEST(BalanceTrigger, looks_at_an_imbalance_after_a_few_phases) {
  BalanceTrigger trigger({});

  std::int64_t const first = phases_until(trigger, uneven, BalanceAdvice::look);
  EXPECT_GE(first, 3);
  EXPECT_LE(first, 12);
}

TEST(BalanceTrigger, does_not_look_where_all_is_even) {
  BalanceTrigger trigger({});

  EXPECT_GT(phases_until(trigger, even, BalanceAdvice::look), 1000);
}

TEST(BalanceTrigger, does_not_look_for_less_than_a_look_costs) {
  // 1 ms is expected of the look; 1 us is to be had in each of 500 phases to come at most.
  BalanceTrigger trigger({.phases = 500});

  EXPECT_GT(phases_until(trigger, {1.0, 1.000001, 1.0}, BalanceAdvice::look, 499), 1000);
}

TEST(BalanceTrigger, waits_until_a_look_is_a_hundredth_of_the_time_so_far) {
  BalanceTrigger trigger({.look_first_s = 1.0});

  EXPECT_GE(phases_until(trigger, uneven, BalanceAdvice::look), 50);
}

TEST(BalanceTrigger, does_not_balance_for_phases_that_do_not_come) {
  BalanceTrigger trigger({.phases = 12});
  ASSERT_LE(phases_until(trigger, uneven, BalanceAdvice::look), 12);

  // 1 s for each of 2 phases or so, at 20.
  LookFacts dear = halving;
  dear.migrate_s = 20.0;
  EXPECT_EQ(trigger.looked(dear), BalanceVerdict::stay);
}

TEST(BalanceTrigger, stays_where_the_balancer_has_nothing_better) {
  BalanceTrigger trigger({});
  std::int64_t const first = phases_until(trigger, uneven, BalanceAdvice::look);

  EXPECT_EQ(trigger.looked({.look_s = 1e-3, .predicted_now_s = 1.0, .predicted_new_s = 1.0}),
            BalanceVerdict::stay);
  EXPECT_EQ(trigger.price(), 2.0);
  EXPECT_GE(first, 3);
}

// The balancer sees one phase, in which a place was long by chance.
TEST(BalanceTrigger, does_not_move_for_what_is_of_one_phase_only) {
  // In 900 phases or so the excess pays for such a look, and the time so far for the move.
  BalanceTrigger trigger({.look_first_s = 4.5});
  PhaseFacts phase{.phase_s = 2.0, .longest_s = 2.0, .mean_s = 1.995};
  phase.over_mean_s = {0.005, -0.005};
  LookFacts look{.look_s = 1e-3, .predicted_now_s = 2.0, .predicted_new_s = 1.0, .migrate_s = 6.5};
  ASSERT_LT(phases_until(trigger, phase, BalanceAdvice::look, 1200), 1200);

  // Half of a phase is promised, but 0.005 s of each are there.
  EXPECT_EQ(trigger.looked(look), BalanceVerdict::stay);
}

TEST(BalanceTrigger, a_look_in_vain_doubles_the_price_and_news_make_it_one_again) {
  BalanceTrigger trigger({});
  LookFacts const vain{.look_s = 1e-3, .predicted_now_s = 1.0, .predicted_new_s = 1.0};
  for (int look = 0; look < 5; ++look) {
    phases_until(trigger, uneven, BalanceAdvice::look, 100000);
    static_cast<void>(trigger.looked(vain));
  }
  EXPECT_EQ(trigger.price(), 32.0);

  PhaseFacts const worse{.phase_s = 4.0, .longest_s = 4.0, .mean_s = 1.0};
  for (int phase = 0; phase < 8 && trigger.price() > 1.0; ++phase) {
    if (trigger.end_phase(worse) != BalanceAdvice::look) continue;
    static_cast<void>(trigger.looked(vain));  // most of the phases that it knows are old news
  }
  EXPECT_EQ(trigger.price(), 1.0);
}

TEST(BalanceTrigger, looks_earlier_where_it_knows_that_much_is_to_come) {
  BalanceTrigger unknown({});
  BalanceTrigger known({.phases = 1000});

  EXPECT_LT(phases_until(known, uneven, BalanceAdvice::look, 1000),
            phases_until(unknown, uneven, BalanceAdvice::look, 1000) / 2);
}

TEST(BalanceTrigger, keeps_what_has_come_true) {
  BalanceTrigger trigger({});
  make_a_move(trigger);

  EXPECT_GT(phases_until(trigger, even, BalanceAdvice::go_back, 200), 1000);
  EXPECT_EQ(trigger.wasted_s(), 0.0);
  EXPECT_EQ(trigger.price(), 1.0);
}

TEST(BalanceTrigger, goes_back_at_once_from_what_is_much_longer) {
  BalanceTrigger trigger({});
  make_a_move(trigger);

  EXPECT_EQ(trigger.end_phase({2.5, 2.5, 1.25}), BalanceAdvice::go_back);
  trigger.went_back(3e-3);  // a look, the way there and back, half a second
  EXPECT_NEAR(trigger.wasted_s(), 0.505, 1e-12);
  EXPECT_EQ(trigger.price(), 2.0);
}

TEST(BalanceTrigger, writes_down_what_measuring_for_a_look_costs) {
  BalanceTrigger trigger({});
  ASSERT_LE(phases_until(trigger, uneven, BalanceAdvice::look), 12);
  std::int64_t const phases = trigger.phases();

  trigger.end_awaited_phase({.phase_s = 2.25, .longest_s = 2.25, .mean_s = 1.0});
  EXPECT_EQ(trigger.phases(), phases + 1);
  LookFacts const vain{.look_s = 1e-3, .predicted_now_s = 1.0, .predicted_new_s = 1.0};
  ASSERT_EQ(trigger.looked(vain), BalanceVerdict::stay);

  // A quarter of a second, and the look.
  EXPECT_NEAR(trigger.wasted_s(), 0.251, 1e-12);
}

// The window's median is of phases before the last ones.
TEST(BalanceTrigger, does_not_take_growth_for_the_cost_of_measuring) {
  for (double const growth : {1.05, 0.95}) {
    SCOPED_TRACE(growth);
    BalanceTrigger trigger({.look_first_s = 2.0, .waste_max = 0.2});
    double scale = 1.0;
    BalanceAdvice said = BalanceAdvice::none;
    while (said == BalanceAdvice::none && trigger.phases() < 100) {
      said = trigger.end_phase({2.0 * scale, 2.0 * scale, scale});
      scale *= growth;
    }
    ASSERT_EQ(said, BalanceAdvice::look);
    ASSERT_GE(trigger.phases(), 8) << "fewer may have no growth yet";
    double const phase_s = 2.0 * scale;
    double const cost_s = 0.1 * phase_s;

    trigger.end_awaited_phase({phase_s + cost_s, phase_s + cost_s, scale});
    LookFacts const vain{.look_s = 1e-3, .predicted_now_s = 1.0, .predicted_new_s = 1.0};
    ASSERT_EQ(trigger.looked(vain), BalanceVerdict::stay);

    // The median of eight is the mean of two, which growth is not exact for.
    EXPECT_NEAR(trigger.wasted_s(), cost_s + 1e-3, 1e-3 * phase_s);
  }
}

TEST(BalanceTrigger, takes_nothing_off_for_a_measured_phase_that_was_short) {
  BalanceTrigger trigger({});
  ASSERT_LE(phases_until(trigger, uneven, BalanceAdvice::look), 12);
  trigger.end_awaited_phase({.phase_s = 1.5, .longest_s = 1.5, .mean_s = 1.0});
  LookFacts const vain{.look_s = 1e-3, .predicted_now_s = 1.0, .predicted_new_s = 1.0};
  ASSERT_EQ(trigger.looked(vain), BalanceVerdict::stay);

  EXPECT_NEAR(trigger.wasted_s(), 1e-3, 1e-12);
}

// The move is judged by all that led to it.
TEST(BalanceTrigger, counts_what_measuring_costs_for_the_move_that_it_led_to) {
  BalanceTrigger trigger({.waste_max = 1.0});
  ASSERT_LE(phases_until(trigger, uneven, BalanceAdvice::look), 12);
  trigger.end_awaited_phase({.phase_s = 2.25, .longest_s = 2.25, .mean_s = 1.0});
  ASSERT_EQ(trigger.looked(halving), BalanceVerdict::move);
  trigger.moved(1e-3);
  EXPECT_NEAR(trigger.wasted_s(), 0.252, 1e-12);

  // A second less in each phase makes up for it.
  EXPECT_EQ(trigger.end_phase(even), BalanceAdvice::none);
  EXPECT_EQ(trigger.wasted_s(), 0.0);
}

TEST(BalanceTrigger, compares_no_phase_that_was_measured) {
  BalanceTrigger trigger({});
  ASSERT_LE(phases_until(trigger, uneven, BalanceAdvice::look), 12);
  EXPECT_FALSE(trigger.begins_trial());
  ASSERT_EQ(trigger.looked(halving), BalanceVerdict::move);
  EXPECT_TRUE(trigger.begins_trial());
  trigger.moved(1e-3);
  EXPECT_FALSE(trigger.begins_trial());
  std::int64_t const phases = trigger.phases();
  double const wasted_s = trigger.wasted_s();

  // By more than is forgiven a phase that was not.
  PhaseFacts const longer{.phase_s = 3.0, .longest_s = 3.0, .mean_s = 2.9};
  EXPECT_EQ(trigger.end_measured_phase(longer), BalanceAdvice::none);

  EXPECT_EQ(trigger.phases(), phases + 1);
  EXPECT_GT(trigger.wasted_s(), wasted_s) << "it took its time";
  EXPECT_GT(phases_until(trigger, even, BalanceAdvice::go_back, 20), 20);
}

TEST(BalanceTrigger, goes_back_from_what_is_longer_than_measuring_explains) {
  BalanceTrigger trigger({});
  make_a_move(trigger);

  PhaseFacts const longer{.phase_s = 4.1, .longest_s = 4.1, .mean_s = 1.0};
  EXPECT_EQ(trigger.end_measured_phase(longer), BalanceAdvice::go_back);
  trigger.went_back(1e-3);
}

TEST(BalanceTrigger, goes_back_in_the_third_phase_from_what_is_a_little_longer) {
  BalanceTrigger trigger({});
  make_a_move(trigger);

  EXPECT_EQ(phases_until(trigger, {2.05, 2.05, 1.025}, BalanceAdvice::go_back), 3);
}

TEST(BalanceTrigger, is_patient_with_one_phase_that_is_longer_after_a_move) {
  BalanceTrigger trigger({});
  make_a_move(trigger);

  EXPECT_EQ(trigger.end_phase({2.05, 2.05, 1.0}), BalanceAdvice::none);
  EXPECT_GT(phases_until(trigger, even, BalanceAdvice::go_back, 200), 1000);
}

TEST(BalanceTrigger, goes_back_when_messages_make_longer_what_is_better_spread) {
  BalanceTrigger trigger({});
  make_a_move(trigger);

  // Places compute less long, and wait.
  EXPECT_LE(phases_until(trigger, {2.2, 1.0, 1.0}, BalanceAdvice::go_back), 3);
}

// Objects that are further apart: each place sends and gets more, and so the mean is longer, too.
TEST(BalanceTrigger, does_not_take_more_messages_for_growth) {
  BalanceTrigger trigger({});
  for (int phase = 0; trigger.end_phase({2.0 + 0.1 * (phase % 2), 2.0, 1.8}) == BalanceAdvice::none;
       ++phase) {
    ASSERT_LT(phase, 100);
  }
  ASSERT_EQ(trigger.looked({.look_s = 1e-3, .predicted_now_s = 2.0, .predicted_new_s = 1.8}),
            BalanceVerdict::move);
  trigger.moved(1e-3);

  EXPECT_EQ(phases_until(trigger, {2.08, 2.08, 2.08}, BalanceAdvice::go_back), 8);
}

TEST(BalanceTrigger, does_not_take_growth_for_a_bad_move) {
  BalanceTrigger trigger({});
  double scale = 1.0;
  BalanceAdvice said = BalanceAdvice::none;
  while (said == BalanceAdvice::none) {
    scale *= 1.03;
    said = trigger.end_phase({2.0 * scale, 2.0 * scale, scale});
  }
  ASSERT_EQ(said, BalanceAdvice::look);
  ASSERT_EQ(trigger.looked(halving), BalanceVerdict::move);
  trigger.moved(1e-3);

  for (int phase = 0; phase < 8; ++phase) {
    scale *= 1.03;
    EXPECT_EQ(trigger.end_phase({1.9 * scale, 1.9 * scale, scale}), BalanceAdvice::none) << phase;
  }
}

TEST(BalanceTrigger, gains_that_do_not_come_true_make_the_next_look_dearer) {
  BalanceTrigger trigger({});
  make_a_move(trigger);
  double const wasted_s = trigger.wasted_s();

  for (int phase = 0; phase < 7; ++phase) {
    EXPECT_EQ(trigger.end_phase(uneven), BalanceAdvice::none);
  }
  EXPECT_NE(trigger.end_phase(uneven), BalanceAdvice::go_back);
  EXPECT_EQ(trigger.price(), 2.0);
  EXPECT_DOUBLE_EQ(trigger.wasted_s(), wasted_s);
}

TEST(BalanceTrigger, refuses_calls_out_of_turn_and_what_is_no_time) {
  BalanceTrigger trigger({});

  EXPECT_THROW(trigger.moved(1.0), ContractViolated);
  EXPECT_THROW(trigger.went_back(1.0), ContractViolated);
  EXPECT_THROW(static_cast<void>(trigger.looked(halving)), ContractViolated);
  EXPECT_THROW(trigger.end_awaited_phase(even), ContractViolated);
  EXPECT_THROW(static_cast<void>(trigger.end_phase({.phase_s = -1.0})), ContractViolated);
  EXPECT_THROW(BalanceTrigger({.every = 0}), ContractViolated);
  EXPECT_THROW(BalanceTrigger({.waste_max = 0.0}), ContractViolated);
}

}  // namespace
}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
// Goal: one step to each price that is yet to be seen and matters. Method: small contracts.
#include "makespan/apps/asian/contract/schedule.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "apps/asian/sample_contracts.hpp"

namespace makespan::asian {
namespace {

// Time, weight and forward of the steps.
Schedule laid_out(Contract const& contract) {
  Schedule schedule;
  lay_out(contract, Kernels::named("one_lane").exp_all, schedule);
  EXPECT_EQ(schedule.steps(), step_count(contract));
  return schedule;
}

TEST(Schedule, has_a_step_to_each_fixing) {
  Contract const contract = monthly_call();
  Schedule const schedule = laid_out(contract);

  ASSERT_EQ(schedule.steps(), 12);
  for (std::size_t i = 0; i < 12; ++i) {
    double const time = static_cast<double>(i + 1) / 12;
    EXPECT_NEAR(schedule.time[i], time, 1e-15);
    EXPECT_DOUBLE_EQ(schedule.weight[i], 1.0 / 12);
    EXPECT_NEAR(schedule.forward[i], std::exp(0.03 * time), 1e-15);
  }
}

TEST(Schedule, has_no_step_to_a_fixing_now) {
  Schedule const schedule = laid_out(with_start(monthly_call()));

  ASSERT_EQ(schedule.steps(), 12);
  EXPECT_NEAR(schedule.time[0], 1.0 / 12, 1e-15);
  EXPECT_DOUBLE_EQ(schedule.weight[0], 1.0 / 13);
}

TEST(Schedule, weighs_past_fixings_too) {
  Schedule const schedule = laid_out(seasoned(monthly_call()));

  ASSERT_EQ(schedule.steps(), 12);
  EXPECT_DOUBLE_EQ(schedule.weight[0], 1.0 / 14);
}

TEST(Schedule, of_an_average_price_ends_with_the_last_fixing) {
  Contract contract = monthly_call();
  contract.expiry = 2;

  EXPECT_EQ(laid_out(contract).time.back(), 1.0);
}

TEST(Schedule, of_an_average_strike_goes_on_to_expiry_without_weight) {
  Contract contract = on_strike(monthly_call(), 1);
  contract.expiry = 1.5;
  Schedule const schedule = laid_out(contract);

  ASSERT_EQ(schedule.steps(), 13);
  EXPECT_EQ(schedule.time.back(), 1.5);
  EXPECT_EQ(schedule.weight.back(), 0.0);
  EXPECT_NEAR(schedule.forward.back(), std::exp(0.045), 1e-15);
  EXPECT_EQ(laid_out(on_strike(monthly_call(), 1)).steps(), 12);
}

TEST(Schedule, of_what_is_over_is_empty) {
  Contract contract = seasoned(monthly_call());
  contract.fixings = 0;
  EXPECT_EQ(laid_out(contract).steps(), 0);

  contract.fixings = 1;
  contract.first_fixing = contract.last_fixing = 0;
  EXPECT_EQ(laid_out(contract).steps(), 0);

  EXPECT_EQ(laid_out(on_strike(contract, 1)).steps(), 1);  // to expiry
}

TEST(Schedule, is_laid_anew_after_a_longer_one) {
  Schedule schedule;
  lay_out(with_start(monthly_call()), Kernels::named("one_lane").exp_all, schedule);
  Contract shorter = monthly_call();
  shorter.fixings = 3;
  lay_out(shorter, Kernels::named("one_lane").exp_all, schedule);

  EXPECT_EQ(schedule.steps(), 3);
  EXPECT_EQ(schedule.direction.size(), 3U);
  EXPECT_DOUBLE_EQ(schedule.weight[2], 1.0 / 3);
}

}  // namespace
}  // namespace makespan::asian

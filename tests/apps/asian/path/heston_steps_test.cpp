// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/path/heston_steps.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "apps/asian/heston_contracts.hpp"

namespace makespan::asian {
namespace {

std::vector<HestonStep> steps_of(Contract const& contract) {
  std::vector<HestonStep> steps;
  static_cast<void>(lay_heston_plan(contract, laid(contract).schedule, 0, steps));
  EXPECT_EQ(static_cast<std::int64_t>(steps.size()), heston_step_count(contract));
  return steps;
}

TEST(HestonSteps, cut_each_gap_into_equal_parts_that_are_short) {
  Contract contract = with_heston(monthly_call(), heston_models[0]);
  auto const steps = steps_of(contract);

  ASSERT_EQ(steps.size(), 12U * 6U);  // 1/12 year is 5.3 times the longest step
  double weight = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(steps[i].has_price, i % 6 == 5) << i;
    weight += steps[i].weight;
    EXPECT_NEAR(steps[i].mean_factor, std::exp(-2.0 / 72), 1e-14);
    EXPECT_NEAR(steps[i].growth, 0.03 / 72, 1e-15);
  }
  EXPECT_NEAR(weight, 1, 1e-14);
}

TEST(HestonSteps, take_one_for_a_gap_of_the_longest_step) {
  Contract contract = with_heston(monthly_call(), heston_models[0]);
  contract.fixings = 64;
  contract.first_fixing = 1.0 / 64;

  EXPECT_EQ(steps_of(contract).size(), 64U);
}

TEST(HestonSteps, go_on_to_the_expiry_of_an_average_strike) {
  Contract contract = with_heston(on_strike(with_start(monthly_call()), 1), heston_models[0]);
  contract.expiry = 1.25;
  auto const steps = steps_of(contract);

  EXPECT_EQ(steps.size(), 12U * 6U + 16U);
  EXPECT_EQ(steps.back().weight, 0);
  EXPECT_TRUE(steps.back().has_price);
}

// Mean and variance of the variance after dt, from its own integrals (J. Cox, J. Ingersoll, S.
// Ross, Econometrica 53 (1985) 385-407, equation 19).
TEST(HestonSteps, have_the_moments_of_the_variance) {
  for (Heston const& model : heston_models) {
    Contract contract = with_heston(monthly_call(), model);
    HestonStep const step = steps_of(contract).front();
    double const dt = 1.0 / 72;
    double const e = std::exp(-model.mean_reversion * dt);
    double const xi2 = model.variance_volatility * model.variance_volatility;

    EXPECT_NEAR(step.variance_slope, xi2 / model.mean_reversion * (e - e * e), 1e-14);
    EXPECT_NEAR(step.variance_constant,
                model.variance_mean * xi2 / (2 * model.mean_reversion) * (1 - e) * (1 - e), 1e-14);
    EXPECT_NEAR(step.noise, 0.5 * dt * (1 - model.correlation * model.correlation), 1e-15);
  }
}

}  // namespace
}  // namespace makespan::asian

// SPDX-License-Identifier: Apache-2.0
// Goal: no Greek of an option that is hardly ever exercised is taken to be certain.
// Method: floors beside the Greeks of a call on a lognormal, whose mean they are not told.
#include "makespan/apps/asian/estimate/rare_floors.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "makespan/simd/portable_math.hpp"

namespace makespan::asian {
namespace {

constexpr double years = 2;
constexpr double rate = 0.03;

CommonTerms common_terms(double rho_drift) {
  CommonTerms common{};
  common.rate = rate;
  common.drift = rate;
  common.expiry = years;
  common.payment = years;
  common.rho_drift = rho_drift;
  return common;
}

// Undiscounted, of a price that is 1 today.
Outputs black(double level, double volatility) {
  double const deviation = volatility * std::sqrt(years);
  double const forward = std::exp(rate * years);
  double const upper = std::log(forward / level) / deviation + 0.5 * deviation;
  double const density = forward * simd::normal_density(upper);
  Outputs out{};
  out[delta] = forward * simd::normal_cdf(upper);
  out[price] = out[delta] - level * simd::normal_cdf(upper - deviation);
  out[gamma] = density / deviation;
  out[vega] = density * std::sqrt(years);
  out[dividend_rho] = -years * out[delta];
  out[rho] = years * (out[delta] - out[price]);
  out[theta] = rate * out[price] - rate * out[delta] - 0.5 * volatility * volatility * out[gamma];
  return out;
}

TEST(RareFloors, are_the_controls_means_where_there_are_any) {
  Outputs const greeks = black(2.2, 0.2);
  Outputs const floors = rare_floors(greeks, common_terms(1), {2.2, 0.08, 0.2});
  for (std::size_t k = 0; k < output_count; ++k) EXPECT_EQ(floors[k], std::fabs(greeks[k])) << k;
}

TEST(RareFloors, are_about_the_greeks_of_which_there_is_no_mean) {
  double const forward = std::exp(rate * years);
  for (double const volatility : {0.1, 0.2, 0.4}) {
    for (double const deviations : {2.0, 3.0, 4.0}) {
      double const level = forward * std::exp(deviations * volatility * std::sqrt(years));
      double const variance = level * level * std::expm1(volatility * volatility * years);
      Outputs const greeks = black(level, volatility);
      Outputs means{};
      means[price] = greeks[price];
      means[delta] = greeks[delta];
      for (double const rho_drift : {0.0, 1.0}) {
        Outputs const floors =
            rare_floors(means, common_terms(rho_drift), {level, variance, volatility});
        for (Output const k : {gamma, vega, theta}) {
          EXPECT_GT(floors[k], 0.3 * std::fabs(greeks[k])) << level << " " << k;
          EXPECT_LT(floors[k], 10 * std::fabs(greeks[k])) << level << " " << k;
        }
        EXPECT_GE(floors[rho], rho_drift * std::fabs(greeks[rho]));
        EXPECT_GE(floors[rho], years * greeks[price]);
        EXPECT_GE(floors[dividend_rho], std::fabs(greeks[dividend_rho]) * (1 - 1e-12));
      }
    }
  }
}

TEST(RareFloors, are_0_where_nothing_is_known) {
  EXPECT_EQ(rare_floors({}, common_terms(1), {}), Outputs{});
  Outputs means{};
  means[price] = 1e-3;
  means[delta] = 0.1;
  Outputs const floors = rare_floors(means, common_terms(1), {});
  EXPECT_EQ(floors[vega], 0);
  EXPECT_DOUBLE_EQ(floors[gamma], 10);
}

}  // namespace
}  // namespace makespan::asian

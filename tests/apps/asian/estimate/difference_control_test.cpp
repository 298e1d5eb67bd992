// SPDX-License-Identifier: Apache-2.0
// Goal: means of payoffs on the difference of two lognormals are right to the last digits that an
// estimator sees. Method: Margrabe's formula where the strike is 0, quadrature over both normals
// elsewhere, parity, and limits.
#include "makespan/apps/asian/estimate/difference_control.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "makespan/simd/portable_math.hpp"

namespace makespan::asian {
namespace {

LognormalPair pair_of(double mean, double deviation, double mean_short, double deviation_short,
                      double correlation) {
  return {.level = std::log(mean) - 0.5 * deviation * deviation,
          .deviation = deviation,
          .level_short = std::log(mean_short) - 0.5 * deviation_short * deviation_short,
          .deviation_short = deviation_short,
          .covariance = correlation * deviation * deviation_short};
}

TEST(DifferenceControl, without_a_strike_is_Margrabes_exchange) {
  for (double const correlation : {-1.0, -0.5, 0.0, 0.7, 0.999}) {
    LognormalPair const pair = pair_of(1.1, 0.3, 1, 0.2, correlation);
    double const s = std::sqrt(0.09 + 0.04 - 2 * correlation * 0.06);
    double const d = std::log(1.1) / s + 0.5 * s;
    double const exact = 1.1 * simd::normal_cdf(d) - simd::normal_cdf(d - s);
    DifferenceMeans const means = difference_means(pair, 1, 0);
    EXPECT_NEAR(means.price, exact, 1e-11) << correlation;
    EXPECT_NEAR(means.difference, exact, 1e-11) << correlation;
    EXPECT_NEAR(means.mean, 0.1, 1e-14);
  }
}

// Midpoints over both normals; the kink costs most of its digits.
double by_quadrature(LognormalPair const& pair, double side, double strike, bool difference) {
  constexpr int points = 3000;
  constexpr double range = 7;
  double const h = 2 * range / points;
  double const slope = pair.covariance / pair.deviation_short;
  double const rest = std::sqrt(pair.deviation * pair.deviation - slope * slope);
  double sum = 0;
  for (int i = 0; i < points; ++i) {
    double const y = -range + h * (i + 0.5);
    double const taken = std::exp(pair.level_short + pair.deviation_short * y);
    double inner = 0;
    for (int k = 0; k < points; ++k) {
      double const x = -range + h * (k + 0.5);
      double const g = std::exp(pair.level + slope * y + rest * x) - taken;
      double const payoff = side * (g - strike) > 0 ? side * (difference ? g : g - strike) : 0;
      inner += payoff * std::exp(-0.5 * x * x);
    }
    sum += inner * std::exp(-0.5 * y * y);
  }
  return sum * h * h / (2 * 3.14159265358979323846);
}

TEST(DifferenceControl, agrees_with_quadrature_over_both_normals) {
  for (double const correlation : {-0.4, 0.6}) {
    for (double const strike : {0.05, 0.4, -0.1}) {
      for (double const side : {1.0, -1.0}) {
        LognormalPair const pair = pair_of(1.2, 0.25, 1, 0.35, correlation);
        DifferenceMeans const means = difference_means(pair, side, strike);
        EXPECT_NEAR(means.price, by_quadrature(pair, side, strike, false), 2e-6);
        EXPECT_NEAR(means.difference, by_quadrature(pair, side, strike, true), 3e-4);
      }
    }
  }
}

// Two that move as one, or against each other: the payoff is one of a single normal.
TEST(DifferenceControl, of_one_normal_is_its_integral) {
  for (double const correlation : {1.0, -1.0}) {
    for (double const deviation : {0.3, 0.05, 0.0}) {
      for (double const strike : {0.05, 0.2, -0.1}) {
        LognormalPair const pair = pair_of(1.1, deviation, 1, 0.2, correlation);
        for (double const side : {1.0, -1.0}) {
          DifferenceMeans const means = difference_means(pair, side, strike);
          constexpr int points = 500'000;
          double const h = 20.0 / points;
          double price = 0;
          double difference = 0;
          for (int i = 0; i < points; ++i) {
            double const y = -10 + h * (i + 0.5);
            double const g = std::exp(pair.level + correlation * deviation * y) -
                             std::exp(pair.level_short + 0.2 * y);
            if (side * (g - strike) <= 0) continue;
            double const density = std::exp(-0.5 * y * y) / std::sqrt(2 * 3.14159265358979323846);
            price += side * (g - strike) * density * h;
            difference += side * g * density * h;
          }
          EXPECT_NEAR(means.price, price, 1e-9) << correlation << ' ' << deviation << ' ' << strike;
          EXPECT_NEAR(means.difference, difference, 2e-6) << correlation << ' ' << deviation;
        }
      }
    }
  }
}

TEST(DifferenceControl, keeps_parity) {
  for (double const correlation : {-1.0, -0.3, 0.8, 1.0}) {
    for (double const strike : {-0.5, 0.0, 0.2, 3.0}) {
      LognormalPair const pair = pair_of(1.3, 0.5, 0.9, 0.4, correlation);
      DifferenceMeans const call = difference_means(pair, 1, strike);
      DifferenceMeans const put = difference_means(pair, -1, strike);
      EXPECT_NEAR(call.price - put.price, 1.3 - 0.9 - strike, 1e-9) << correlation << strike;
      EXPECT_NEAR(call.difference - put.difference, 1.3 - 0.9, 1e-9) << correlation << strike;
    }
  }
}

TEST(DifferenceControl, without_randomness_on_one_side_is_a_call_on_the_other) {
  LognormalPair const pair = pair_of(1.2, 0.3, 0.5, 0, 0);
  double const d = std::log(1.2 / 0.9) / 0.3 + 0.15;
  double const exact = 1.2 * simd::normal_cdf(d) - 0.9 * simd::normal_cdf(d - 0.3);
  EXPECT_NEAR(difference_means(pair, 1, 0.4).price, exact, 1e-12);
}

}  // namespace
}  // namespace makespan::asian

// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/recursion/detail/lagrange_coefficients.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace makespan::asian::recursion {
namespace {

TEST(LagrangeCoefficients, scales_are_products_of_distances) {
  for (int j = 0; j < interpolation_points; ++j) {
    double product = 1;
    for (int m = 0; m < interpolation_points; ++m) product *= m == j ? 1 : j - m;
    EXPECT_NEAR(lagrange_scale[j] * product, 1, 1e-15) << j;
  }
}

TEST(LagrangeCoefficients, derivatives_and_heat_are_exact_for_powers) {
  double moment = 1;  // E[Z^(2 n)]
  for (int n = 0; n <= derivative_radius; ++n) {
    double first = 0;
    double second = n == 0 ? second_derivative[0] : 0;
    double warm = n == 0 ? 1 : 0;
    constexpr double variance = 0.7;
    for (int j = 0; j <= derivative_radius; ++j) {
      double weight = 0;
      for (int power = derivative_radius; power >= 0; --power)
        weight = weight * variance + heat_weights[j][power];
      double const even = std::pow(j, 2 * n);
      if (j == 0) {
        warm = n == 0 ? weight : 0;
        continue;
      }
      first += 2 * first_derivative[j] * std::pow(j, 2 * n + 1);
      second += 2 * second_derivative[j] * even;
      warm += 2 * weight * even;
    }
    if (n < derivative_radius) {
      EXPECT_NEAR(first, n == 0 ? 1 : 0, 1e-8) << n;
    }
    EXPECT_NEAR(second, n == 1 ? 2 : 0, 1e-8) << n;
    EXPECT_NEAR(warm, moment * std::pow(variance, n), 1e-8 * (1 + moment)) << n;
    moment *= 2 * n + 1;
  }
}

}  // namespace
}  // namespace makespan::asian::recursion

// SPDX-License-Identifier: Apache-2.0
// Goal: the slopes that Greeks follow are the derivatives of the drawn variance and its correction.
// Method: differences of the draw itself, on both sides of the switch and for normals that end in
// the mass at 0.
#include "makespan/simd/one_lane.hpp"
// (before the bodies: it says what they are written in)
#include "makespan/apps/asian/kernel/detail/heston_variance-inl.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace makespan::asian {
namespace {

using one_lane::DrawVariances;
using one_lane::NextVariance;
using one_lane::VarianceLaw;

NextVariance drawn(double exponent, double mean, double spread, double z) {
  HestonStep step{};
  step.exponent = exponent;
  VarianceLaw const law[1] = {{mean, mean * mean, spread}};
  double const normal[1] = {z};
  NextVariance next[1];
  DrawVariances<true, 1>(step, law, normal, next);
  return next[0];
}

void expect_slopes(double exponent, double mean, double spread, double z) {
  NextVariance const here = drawn(exponent, mean, spread, z);
  auto const expect = [&](double slope, double up, double down, double width, char const* what) {
    double const difference = (up - down) / width;
    EXPECT_NEAR(slope, difference, 2e-6 * std::fabs(difference) + 1e-7 + 1e-16 / width)
        << what << " psi " << spread / (mean * mean) << " z " << z << " exponent " << exponent;
  };
  auto const by_mean = [&](double x) { return drawn(exponent, mean * (1 + x), spread, z); };
  auto const by_spread = [&](double x) { return drawn(exponent, mean, spread * (1 + x), z); };
  auto const by_exponent = [&](double x) { return drawn(exponent + x, mean, spread, z); };
  constexpr double h = 1e-5;
  expect(here.slopes.by_mean, by_mean(h).variance, by_mean(-h).variance, 2 * h * mean, "mean");
  expect(here.slopes.by_spread, by_spread(h).variance, by_spread(-h).variance, 2 * h * spread,
         "spread");
  expect(here.slopes.correction_by_mean, by_mean(h).correction, by_mean(-h).correction,
         2 * h * mean, "correction by mean");
  expect(here.slopes.correction_by_spread, by_spread(h).correction, by_spread(-h).correction,
         2 * h * spread, "correction by spread");
  expect(here.slopes.correction_by_exponent, by_exponent(h).correction, by_exponent(-h).correction,
         2 * h, "correction by exponent");
}

TEST(HestonVariance, has_slopes_that_are_differences_of_draws) {
  for (double const mean : {0.01, 0.04, 0.3}) {
    for (double const psi : {1e-3, 0.1, 0.9, 1.4, 1.6, 4.0, 30.0}) {
      for (double const z : {-2.1, -0.4, 0.03, 1.3, 2.6}) {
        for (double const exponent : {-2.4, -0.3, 0.2}) {
          expect_slopes(exponent, mean, psi * mean * mean, z);
        }
      }
    }
  }
}

TEST(HestonVariance, has_no_slope_in_the_mass_at_0) {
  NextVariance const at = drawn(-0.5, 0.02, 4 * 0.02 * 0.02, -1);

  EXPECT_EQ(at.variance, 0);
  EXPECT_EQ(at.slopes.by_mean, 0);
  EXPECT_EQ(at.slopes.by_spread, 0);
}

TEST(HestonVariance, stays_finite_without_noise) {
  NextVariance const at = drawn(-0.5, 0.02, 0, 1);

  EXPECT_EQ(at.variance, 0.02);
  EXPECT_TRUE(std::isfinite(at.slopes.by_mean));
  EXPECT_TRUE(std::isfinite(at.slopes.by_spread));
}

}  // namespace
}  // namespace makespan::asian

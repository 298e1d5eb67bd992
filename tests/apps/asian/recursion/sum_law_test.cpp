// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/recursion/detail/sum_law.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace makespan::asian::recursion {
namespace {

SumLaw three_steps() {
  SumLaw law;
  law.add(0.02, 0.04, 0.5, 0.1, 1.0);
  law.add(-0.01, 0.09, 0.2, 0.2, 2.0);
  law.add(0.05, 0.01, 0.3, 0.3, 0.5);
  return law;
}

TEST(SumLaw, remaining_sums_have_the_moments_of_their_terms) {
  SumLaw const law = three_steps();
  std::vector<RemainingSum> sums;
  remaining_sums(law, sums);
  ASSERT_EQ(sums.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) {
    double forward = 0;
    double by_drift = 0;
    double second = 0;
    double last = 0;
    double growth = 0;
    double time = 0;
    double variance = 0;
    for (std::size_t i = k; i < 3; ++i) {
      growth += law.growth[i];
      time += law.drift_rate[i];
      variance += law.variance[i];
      forward += law.weight[i] * std::exp(growth);
      by_drift += law.weight[i] * time * std::exp(growth);
      last = std::exp(growth);
      double other_growth = 0;
      double shared = 0;
      for (std::size_t j = k; j < 3; ++j) {
        other_growth += law.growth[j];
        shared += j <= i ? law.variance[j] : 0;
        second += law.weight[i] * law.weight[j] * std::exp(growth + other_growth + shared);
      }
    }
    EXPECT_NEAR(sums[k].forward, forward, 1e-14);
    EXPECT_NEAR(sums[k].by_drift, by_drift, 1e-14);
    EXPECT_NEAR(sums[k].by_last_weight, last, 1e-14);
    EXPECT_NEAR(sums[k].deviation, std::sqrt(std::log(second / (forward * forward))), 1e-13);
    EXPECT_GT(variance, 0);
  }
}

// To the first order the sum is then its terms' normals, weighted.
TEST(SumLaw, remaining_sums_of_a_price_that_hardly_moves_have_its_deviation) {
  for (double const size : {1e-3, 1e-8, 1e-14}) {
    SumLaw law;
    for (double const weight : {0.5, 0.2, 0.3}) law.add(0, size * size, weight, 0.1, 1.0);
    std::vector<RemainingSum> sums;
    remaining_sums(law, sums);

    double const of_all = size * std::sqrt(1 + 0.5 * 0.5 + 0.3 * 0.3);
    EXPECT_NEAR(sums[0].deviation, of_all, (1e-12 + size * size) * of_all) << size;
    EXPECT_NEAR(sums[2].deviation, size, 1e-12 * size) << size;
  }
}

// One term: the range is that of a lognormal of known width.
TEST(SumLaw, ranges_reach_the_deviations_asked_for) {
  SumLaw const law = three_steps();
  StrikeRange const last = StrikeRanges(law).range(2, 6);
  double const centre = std::log(0.3) + 0.05;
  EXPECT_NEAR(last.low, centre - 6 * 0.1 - 0.005, 1e-13);
  EXPECT_NEAR(last.high, centre + 6 * 0.1 + 0.005, 1e-13);
  StrikeRange const all = StrikeRanges(law).range(0, 6);
  StrikeRange const wider = StrikeRanges(law).range(0, 7);
  EXPECT_LT(wider.low, all.low);
  EXPECT_GT(wider.high, all.high);
}

TEST(SumLaw, is_empty_once_cleared) {
  SumLaw law = three_steps();
  law.clear();
  EXPECT_EQ(law.steps(), 0U);
  EXPECT_TRUE(law.growth.empty());
}

}  // namespace
}  // namespace makespan::asian::recursion

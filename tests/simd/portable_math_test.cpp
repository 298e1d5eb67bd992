// SPDX-License-Identifier: Apache-2.0
// Goal: the host's elementary functions are those of the bodies, safe at the ends of their ranges;
// Student's quantiles are those of printed tables. Method: tabulated values; round trips.
#include "makespan/simd/portable_math.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "simd/random_words.hpp"

namespace makespan::simd {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(PortableMath, is_the_one_lane_body) {
  std::vector<double> x(batch);
  for (std::size_t i = 0; i < batch; ++i) x[i] = 1e-3 * static_cast<double>(i + 1);
  std::vector<double> exps(batch);
  std::vector<double> logs(batch);
  std::vector<double> masses(batch);
  all_bodies().front().exp_f64(x, exps.data());
  all_bodies().front().log(x, logs.data());
  all_bodies().front().normal_cdf(x, masses.data());

  for (std::size_t i = 0; i < batch; ++i) {
    EXPECT_EQ(portable_exp(x[i]), exps[i]);
    EXPECT_EQ(portable_log(x[i]), logs[i]);
    EXPECT_EQ(normal_cdf(x[i]), masses[i]);
  }
}

TEST(PortableMath, normal_functions_end_well) {
  EXPECT_EQ(normal_cdf(infinity), 1.0);
  EXPECT_EQ(normal_cdf(-infinity), 0.0);
  EXPECT_EQ(normal_density(infinity), 0.0);
  EXPECT_EQ(normal_density(-infinity), 0.0);
  EXPECT_NEAR(normal_density(0), 0.3989422804014327, 1e-16);
  EXPECT_NEAR(normal_density(-1.5), 0.12951759566589174, 1e-16);
}

TEST(PortableMath, normal_quantiles_are_the_tabulated_ones) {
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-15);
  EXPECT_NEAR(normal_quantile(0.995), 2.5758293035489004, 1e-15);
  EXPECT_NEAR(normal_quantile(0.841344746068543), 1.0, 1e-14);
  EXPECT_NEAR(normal_quantile(1e-10), -6.361340902404056, 1e-14);
}

TEST(PortableMath, normal_quantile_undoes_normal_cdf) {
  for (double x = -35; x <= 5; x += 0.01) {
    // Above 0 the probability itself is rounded: to 2^-53, over the density.
    double const rounding = x > 0 ? 0x1p-53 / normal_density(x) : 0;
    EXPECT_NEAR(normal_quantile(normal_cdf(x)), x, 2e-14 + 3 * rounding) << x;
  }
}

struct StudentCase {
  double confidence;
  int degrees;
  double quantile;
};

TEST(PortableMath, student_quantiles_are_the_tabulated_ones) {
  // Any table of two-sided points, here with the 16 digits of scipy.stats.t.ppf((1 + c) / 2, n).
  for (auto const& [confidence, degrees, quantile] :
       {StudentCase{0.95, 1, 12.706204736174694}, StudentCase{0.95, 2, 4.302652729749462},
        StudentCase{0.95, 3, 3.1824463052837078}, StudentCase{0.95, 15, 2.131449545559776},
        StudentCase{0.95, 16, 2.1199052992212546}, StudentCase{0.95, 31, 2.039513446396408},
        StudentCase{0.95, 127, 1.9788195347028539}, StudentCase{0.99, 15, 2.946712883475238},
        StudentCase{0.99, 31, 2.744041919294269}, StudentCase{0.9, 4, 2.1318467863266495},
        StudentCase{0.5, 31, 0.6824863060025721}, StudentCase{0.999, 1000, 3.300282648423944},
        StudentCase{0.95, 4095, 1.9605434621072302}}) {
    EXPECT_NEAR(student_quantile(confidence, degrees) / quantile, 1, 1e-9) << degrees;
  }
}

TEST(PortableMath, student_quantiles_keep_their_digits_next_to_one) {
  // By mpmath's incomplete beta function, with 60 digits.
  for (auto const& [confidence, degrees, quantile] :
       {StudentCase{1 - 1e-8, 15, 11.281829574682035},
        StudentCase{1 - 1e-12, 15, 21.646266978432931},
        StudentCase{1 - 0x1p-53, 15, 40.139170105265755},
        StudentCase{0.9999, 1, 6366.1976713166369}, StudentCase{1 - 1e-12, 1, 636633855803.5593},
        StudentCase{1 - 1e-12, 2, 1000011.0610428281},
        StudentCase{1 - 1e-10, 4, 494.91982261251437}, StudentCase{0.9999, 31, 4.4609891407839823},
        StudentCase{1 - 1e-6, 1000, 4.9222895234238255},
        StudentCase{1 - 1e-12, 4095, 7.1531395865351641}}) {
    EXPECT_NEAR(student_quantile(confidence, degrees) / quantile, 1, 1e-11)
        << confidence << ' ' << degrees;
  }
}

TEST(PortableMath, student_quantiles_tend_to_the_normal_ones) {
  double before = infinity;
  for (int degrees = 1; degrees <= 4096; degrees *= 2) {
    double const quantile = student_quantile(0.95, degrees);
    EXPECT_LT(quantile, before);
    EXPECT_GT(quantile, normal_quantile(0.975));
    before = quantile;
  }
  EXPECT_NEAR(before, normal_quantile(0.975), 1e-3);
}

}  // namespace
}  // namespace makespan::simd

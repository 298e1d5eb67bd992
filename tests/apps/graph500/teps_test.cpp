// SPDX-License-Identifier: Apache-2.0
// Goal: statistics are those of the specification. Method: closed forms of a few numbers.
#include "makespan/apps/graph500/teps.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "makespan/base/error.hpp"

namespace makespan::graph500 {
namespace {

TEST(TepsStatisticsTest, is_harmonic) {
  std::array const teps{4.0, 1.0, 2.0};

  TepsStatistics const found = teps_statistics(teps);

  double const mean = 12.0 / 7.0;
  // Reciprocals 1/4, 1 and 1/2, around 7/12.
  double const squares = (16.0 + 25.0 + 1.0) / 144.0;
  EXPECT_DOUBLE_EQ(found.harmonic_mean, mean);
  EXPECT_DOUBLE_EQ(found.harmonic_deviation, mean * mean * std::sqrt(squares) / 2.0);
}

TEST(TepsStatisticsTest, has_quartiles) {
  std::array const teps{5.0, 1.0, 2.0, 4.0, 3.0};
  TepsStatistics const odd = teps_statistics(teps);
  EXPECT_DOUBLE_EQ(odd.min, 1.0);
  EXPECT_DOUBLE_EQ(odd.first_quartile, 2.0);
  EXPECT_DOUBLE_EQ(odd.median, 3.0);
  EXPECT_DOUBLE_EQ(odd.third_quartile, 4.0);
  EXPECT_DOUBLE_EQ(odd.max, 5.0);

  std::array const even{1.0, 2.0, 3.0, 4.0};
  EXPECT_DOUBLE_EQ(teps_statistics(even).first_quartile, 1.75);
  EXPECT_DOUBLE_EQ(teps_statistics(even).median, 2.5);
}

TEST(TepsStatisticsTest, takes_one_search) {
  std::array const teps{3.0};
  TepsStatistics const found = teps_statistics(teps);
  EXPECT_DOUBLE_EQ(found.harmonic_mean, 3.0);
  EXPECT_DOUBLE_EQ(found.harmonic_deviation, 0.0);
  EXPECT_DOUBLE_EQ(found.third_quartile, 3.0);
}

TEST(TepsStatisticsTest, refuses_what_has_no_harmonic_mean) {
  EXPECT_THROW(static_cast<void>(teps_statistics({})), InputError);
  std::array const teps{1.0, 0.0};
  EXPECT_THROW(static_cast<void>(teps_statistics(teps)), InputError);
}

}  // namespace
}  // namespace makespan::graph500

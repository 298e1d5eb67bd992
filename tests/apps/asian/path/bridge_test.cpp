// SPDX-License-Identifier: Apache-2.0
// Goal: a bridge builds Brownian motion at the given times, most important first. Method: the
// linear map from its normals is propagated row by row; its covariances must be min(t_i, t_j).
#include "makespan/apps/asian/path/bridge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace makespan::asian {
namespace {

std::vector<double> equal_times(int count) {
  std::vector<double> times;
  for (int i = 1; i <= count; ++i) times.push_back(1.5 * i / count);
  return times;
}

std::vector<double> uneven_times(int count) {
  std::vector<double> times;
  double time = 0;
  for (int i = 0; i < count; ++i) times.push_back(time += 0.01 + 0.5 * ((i * 7919) % 97) / 97.0);
  return times;
}

std::vector<BridgeStep> bridge_of(std::vector<double> const& times) {
  std::vector<BridgeStep> bridge;
  lay_bridge(times, bridge);
  return bridge;
}

// Row i of the path as a combination of the normals; row 0 is nought.
std::vector<std::vector<double>> rows_of(std::vector<BridgeStep> const& bridge) {
  std::size_t const steps = bridge.size();
  std::vector<std::vector<double>> rows(steps + 1, std::vector<double>(steps, 0.0));
  for (std::size_t k = 0; k < steps; ++k) {
    BridgeStep const& step = bridge[k];
    auto& row = rows[static_cast<std::size_t>(step.index)];
    auto const& left = rows[static_cast<std::size_t>(step.left)];
    auto const& right = rows[static_cast<std::size_t>(step.right)];
    for (std::size_t i = 0; i < steps; ++i) {
      row[i] = step.left_weight * left[i] + step.right_weight * right[i];
    }
    row[k] += step.deviation;
  }
  return rows;
}

void expect_brownian(std::vector<double> const& times) {
  auto const rows = rows_of(bridge_of(times));
  ASSERT_EQ(rows.size(), times.size() + 1);
  for (std::size_t i = 0; i < times.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double covariance = 0;
      for (std::size_t k = 0; k < times.size(); ++k) covariance += rows[i + 1][k] * rows[j + 1][k];
      EXPECT_NEAR(covariance, times[j], 1e-12 * times.back()) << i << ' ' << j;
    }
  }
}

TEST(Bridge, has_the_covariances_of_Brownian_motion) {
  for (int const count : {1, 2, 3, 4, 5, 7, 8, 12, 31, 64, 65}) {
    expect_brownian(equal_times(count));
    expect_brownian(uneven_times(count));
  }
}

TEST(Bridge, has_rows_at_one_time) {
  expect_brownian({1, 1, 1});
  expect_brownian({0.5, 1, 1, 1, 1, 1.5, 2, 2});
}

TEST(Bridge, lays_each_row_once_from_rows_that_are_there) {
  for (int count = 1; count <= 200; ++count) {
    std::set<std::int32_t> laid{0};
    for (BridgeStep const& step : bridge_of(uneven_times(count))) {
      EXPECT_TRUE(laid.contains(step.left));
      EXPECT_TRUE(laid.contains(step.right));
      EXPECT_TRUE(laid.insert(step.index).second);
    }
    EXPECT_EQ(laid.size(), static_cast<std::size_t>(count) + 1);
    EXPECT_EQ(*laid.rbegin(), count);
  }
}

TEST(Bridge, begins_with_the_end_and_then_the_middle) {
  auto const bridge = bridge_of(equal_times(8));

  EXPECT_EQ(bridge[0].index, 8);
  EXPECT_DOUBLE_EQ(bridge[0].deviation, std::sqrt(1.5));
  EXPECT_EQ(bridge[1].index, 4);
  EXPECT_DOUBLE_EQ(bridge[1].left_weight, 0.5);
  EXPECT_EQ((std::set{bridge[2].index, bridge[3].index}), (std::set{2, 6}));
  EXPECT_TRUE(std::is_sorted(bridge.begin(), bridge.end(), [](auto const& a, auto const& b) {
    return a.deviation > b.deviation + 1e-12;
  }));
}

TEST(Bridge, is_laid_anew) {
  std::vector<BridgeStep> bridge;
  lay_bridge(equal_times(9), bridge);
  lay_bridge(equal_times(3), bridge);
  EXPECT_EQ(bridge.size(), 3U);
  lay_bridge({}, bridge);
  EXPECT_TRUE(bridge.empty());
}

}  // namespace
}  // namespace makespan::asian

// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/contract/detail/heston.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace makespan::asian {
namespace {

TEST(Heston, has_the_mean_of_its_variance) {
  Heston const model{0.09, 1.5, 0.04, 0.5, -0.3};
  double sum = 0;
  constexpr int parts = 10'000;
  for (int i = 0; i < parts; ++i) {
    double const time = 2 * (i + 0.5) / parts;
    sum += 0.04 + 0.05 * std::exp(-1.5 * time);
  }

  EXPECT_NEAR(mean_variance(model, 2), sum / parts, 1e-9);
  EXPECT_NEAR(mean_variance(model, 1e-12), 0.09, 1e-13);
  EXPECT_EQ(mean_variance(model, 0), 0.09);
}

TEST(Heston, is_given_by_a_volatility_of_the_variance) {
  EXPECT_FALSE(Heston{}.is_given());
  EXPECT_TRUE((Heston{0.04, 1, 0.04, 0.1, 0}.is_given()));
}

}  // namespace
}  // namespace makespan::asian

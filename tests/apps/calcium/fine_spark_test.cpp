// SPDX-License-Identifier: Apache-2.0
// Goal: the closed form of a steady point source on a finer grid, nearer to the source. Minutes:
// spark_test.cpp has it coarser.
#include <gtest/gtest.h>

#include "apps/calcium/steady_source.hpp"

namespace makespan::calcium {
namespace {

TEST(FineSpark, a_steady_source_has_its_closed_form) {
  SteadySource const source{.spacing = 0.02, .points = 60, .time_step = 3e-4, .steps = 30000};

  for (Found const& found : steady_source(source)) {
    if (found.r < 0.1) continue;
    EXPECT_NEAR(found.rise / found.expected, 1, 0.02) << "at " << found.r;
  }
}

TEST(FineSpark, the_closed_form_is_that_of_the_study) {
  // In a ball of 1.5 µm; as half a side that is 1.7475646 / 2 of it.
  double const amount = 0.001 * amount_per_pa;
  double const half_side = 1.5 * 1.7475646 / 2;

  EXPECT_NEAR(amount, 0.0051822, 1e-7);
  EXPECT_NEAR(0.14 + steady_rise(amount, 0.1, half_side), 0.1478239, 1e-7);
  EXPECT_NEAR(0.14 + steady_rise(amount, 0.2, half_side), 0.1433415, 1e-7);
  EXPECT_NEAR(0.14 + steady_rise(amount, 0.5, half_side), 0.1410219, 1e-7);
}

}  // namespace
}  // namespace makespan::calcium

// SPDX-License-Identifier: Apache-2.0
// Goal: the middle of odd, even and no numbers. Method: by hand.
#include "makespan/base/median.hpp"

#include <gtest/gtest.h>

namespace makespan {
namespace {

TEST(Median, is_the_middle) {
  EXPECT_EQ(median_or({5.0, 1.0, 9.0}, 0.0), 5.0);
  EXPECT_EQ(median_or({4.0, 1.0, 2.0, 9.0}, 0.0), 3.0);
  EXPECT_EQ(median_or({}, 7.0), 7.0);
}

}  // namespace
}  // namespace makespan

// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/protocol/claim_pause.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <set>

namespace makespan::bag {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

TEST(ClaimPause, is_none_where_a_try_takes_less_than_a_sleep) {
  for (int worker = 0; worker < 100; ++worker) {
    EXPECT_EQ(pause_after_losses(worker, 2, nanoseconds{100}).count(), 0);
  }
}

TEST(ClaimPause, lies_anywhere_within_twice_as_long_for_each_loss) {
  for (int const losses : {1, 4, 8}) {
    std::set<nanoseconds> pauses;
    nanoseconds sum{};
    nanoseconds const within = microseconds{100} * (1 << losses);
    for (int worker = 0; worker < 1000; ++worker) {
      nanoseconds const pause = pause_after_losses(worker, losses, microseconds{100});
      EXPECT_LT(pause, within);
      pauses.insert(pause);
      sum += pause;
    }
    EXPECT_GT(pauses.size(), 800U) << losses;
    EXPECT_NEAR(static_cast<double>(sum.count()) / static_cast<double>((within * 1000).count()), 0.5,
                0.05)
        << losses;
  }
}

TEST(ClaimPause, does_not_grow_for_ever) {
  EXPECT_LE(pause_after_losses(3, 1000, milliseconds{50}), milliseconds{100});
  EXPECT_GT(pause_after_losses(3, 1000, milliseconds{50}), milliseconds{0});
}

TEST(ClaimPause, is_the_same_every_time) {
  EXPECT_EQ(pause_after_losses(7, 9, microseconds{3}), pause_after_losses(7, 9, microseconds{3}));
  EXPECT_NE(pause_after_losses(7, 9, microseconds{3}), pause_after_losses(8, 9, microseconds{3}));
}

}  // namespace
}  // namespace makespan::bag

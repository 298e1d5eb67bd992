// SPDX-License-Identifier: Apache-2.0
// Goal: workers that lose a claim retry spread out in time. Method: the pauses of many workers.
#include "makespan/bag/protocol/claim_pause.hpp"

#include <gtest/gtest.h>

#include <set>

namespace makespan::bag {
namespace {

TEST(ClaimPause, is_none_where_a_try_takes_less_than_a_sleep) {
  for (int worker = 0; worker < 100; ++worker) {
    EXPECT_EQ(pause_after_losses(worker, 2, Seconds{1e-7}), Seconds{});
  }
}

TEST(ClaimPause, lies_anywhere_within_twice_as_long_for_each_loss) {
  for (int const losses : {1, 4, 8}) {
    std::set<Seconds> pauses;
    Seconds sum{};
    Seconds const within{1e-4 * (1 << losses)};
    for (int worker = 0; worker < 1000; ++worker) {
      Seconds const pause = pause_after_losses(worker, losses, Seconds{1e-4});
      EXPECT_LT(pause, within);
      pauses.insert(pause);
      sum += pause;
    }
    EXPECT_GT(pauses.size(), 800U) << losses;
    EXPECT_NEAR(sum / within, 500, 50) << losses;
  }
}

TEST(ClaimPause, does_not_grow_for_ever) {
  EXPECT_LE(pause_after_losses(3, 1000, Seconds{0.05}), Seconds{0.1});
  EXPECT_GT(pause_after_losses(3, 1000, Seconds{0.05}), Seconds{});
}

TEST(ClaimPause, is_the_same_every_time) {
  EXPECT_EQ(pause_after_losses(7, 9, Seconds{3e-6}), pause_after_losses(7, 9, Seconds{3e-6}));
  EXPECT_NE(pause_after_losses(7, 9, Seconds{3e-6}), pause_after_losses(8, 9, Seconds{3e-6}));
}

}  // namespace
}  // namespace makespan::bag

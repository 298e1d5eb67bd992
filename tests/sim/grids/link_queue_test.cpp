// SPDX-License-Identifier: Apache-2.0
// Goal: messages follow each other at a link's bandwidth, and a burst passes at once. Method: by
// hand.
#include "makespan/sim/grids/detail/link_queue.hpp"

#include <gtest/gtest.h>

namespace makespan::sim {
namespace {

TEST(LinkQueue, passes_one_message_after_the_other) {
  LinkQueue link({.bandwidth = 100.0});

  EXPECT_EQ(link.pass(Seconds{1.0}, Seconds{1.0}, 200.0), Seconds{3.0});
  EXPECT_EQ(link.pass(Seconds{2.0}, Seconds{2.0}, 100.0), Seconds{4.0});
  EXPECT_EQ(link.pass(Seconds{9.0}, Seconds{9.0}, 100.0), Seconds{10.0});
  // No sooner than its last byte is there.
  EXPECT_EQ(link.pass(Seconds{20.0}, Seconds{25.0}, 100.0), Seconds{25.0});
}

TEST(LinkQueue, passes_each_message_at_its_own_rate_beside_others) {
  LinkQueue link({.bandwidth = 100.0, .message_bandwidth = 10.0});

  EXPECT_EQ(link.pass(Seconds{}, Seconds{}, 20.0), Seconds{2.0});
  EXPECT_EQ(link.pass(Seconds{}, Seconds{}, 20.0), Seconds{2.0});
}

TEST(LinkQueue, lets_a_burst_through_and_then_its_bandwidth) {
  LinkQueue link({.bandwidth = 100.0, .burst = 150.0});

  EXPECT_EQ(link.pass(Seconds{}, Seconds{}, 100.0), Seconds{});
  EXPECT_EQ(link.pass(Seconds{}, Seconds{}, 100.0), Seconds{0.5});
  // The bucket is full again after a pause.
  EXPECT_EQ(link.pass(Seconds{10.0}, Seconds{10.0}, 150.0), Seconds{10.0});
}

}  // namespace
}  // namespace makespan::sim

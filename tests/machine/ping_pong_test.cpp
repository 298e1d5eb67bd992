// SPDX-License-Identifier: Apache-2.0
// Goal: two cores find each other, and what cannot be measured is 0 and does not hang. How long it
// took is not looked at.
#include "makespan/machine/detail/ping_pong.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "makespan/machine/affinity.hpp"

namespace makespan::machine {
namespace {

TEST(PingPong, measures_two_cores) {
  auto const cpus = allowed_cores();
  if (cpus.size() < 2) GTEST_SKIP() << "there is one core";

  EXPECT_GT(core_latency(cpus[0], cpus[1], Seconds{0.01}), Seconds{});
}

TEST(PingPong, gives_up_on_a_core_that_is_not_there) {
  auto const cpus = allowed_cores();

  EXPECT_EQ(core_latency(cpus[0], -1, Seconds{0.01}), Seconds{});
  EXPECT_EQ(core_latency(-1, cpus[0], Seconds{0.01}), Seconds{});
}

// Whichever of the threads is the first: what it has thrown does not hide that the other has gone.
TEST(PingPong, does_not_wait_for_a_thread_that_gave_up) {
  auto const cpus = allowed_cores();
  auto const begin = std::chrono::steady_clock::now();

  EXPECT_EQ(core_latency(cpus[0], -1, Seconds{0.01}, Seconds{60}), Seconds{});

  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

}  // namespace
}  // namespace makespan::machine

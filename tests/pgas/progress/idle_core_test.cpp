// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/progress/idle_core.hpp"

#include <gtest/gtest.h>

namespace makespan::pgas {
namespace {

using namespace std::chrono_literals;

IdleCore::Time at(std::chrono::nanoseconds since_start) {
  return IdleCore::Time{} + 100s + since_start;
}

TEST(IdleCore, yields_while_that_costs_little_and_sleeps_after_20_ms) {
  IdleCore core;
  core.tell_yield(at(0us), at(5us));
  EXPECT_EQ(core.choose(at(5us), 5us), Rest::yield);
  EXPECT_EQ(core.choose(at(19ms), 19ms), Rest::yield);
  EXPECT_EQ(core.choose(at(21ms), 21ms), Rest::sleep);
}

TEST(IdleCore, after_a_long_yield_spins_for_a_while_and_sleeps) {
  IdleCore core;
  core.tell_yield(at(0us), at(3ms));
  EXPECT_EQ(core.choose(at(4ms), 10us), Rest::spin);
  EXPECT_EQ(core.choose(at(4ms), 99us), Rest::spin);
  EXPECT_EQ(core.choose(at(4ms), 110us), Rest::sleep);
  EXPECT_EQ(core.choose(at(900ms), 110us), Rest::sleep);
}

TEST(IdleCore, tries_to_yield_again_after_a_second) {
  IdleCore core;
  core.tell_yield(at(0us), at(3ms));
  EXPECT_EQ(core.choose(at(1004ms), 110us), Rest::yield);
}

// Another thread's sleep, and half of it for the way into it and out.
TEST(IdleCore, spins_for_longer_than_the_shortest_sleep_lasts) {
  EXPECT_GE(IdleCore::spinning, IdleCore::time_to_sleep(0us) + IdleCore::time_to_sleep(0us) / 2);
}

TEST(IdleCore, sleeps_for_a_hundredth_of_the_wait_within_limits) {
  EXPECT_EQ(IdleCore::time_to_sleep(60us), 50us);
  EXPECT_EQ(IdleCore::time_to_sleep(30ms), 300us);
  EXPECT_EQ(IdleCore::time_to_sleep(10s), 1ms);
}

}  // namespace
}  // namespace makespan::pgas

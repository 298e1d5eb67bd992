// SPDX-License-Identifier: Apache-2.0
// Goal: the cores named are those that a thread can be tied to. Method: the machine that runs the
// test.
#include "makespan/machine/affinity.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

namespace makespan::machine {
namespace {

TEST(Affinity, names_at_least_one_core_and_each_once) {
  std::vector<int> const cores = allowed_cores();

  EXPECT_FALSE(cores.empty());
  EXPECT_TRUE(std::ranges::is_sorted(cores));
  EXPECT_EQ(std::ranges::adjacent_find(cores), cores.end());
}

TEST(Affinity, pins_a_thread_to_one_core_and_leaves_the_others) {
  std::vector<int> const before = allowed_cores();
  PinOutcome outcome{};
  std::vector<int> inside;

  std::thread([&] {
    outcome = pin_this_thread(before.back());
    inside = allowed_cores();
  }).join();

  if (outcome == PinOutcome::refused) GTEST_SKIP() << "this system does not pin threads";
  EXPECT_EQ(inside, std::vector<int>{before.back()});
  EXPECT_EQ(allowed_cores(), before);
}

TEST(Affinity, refuses_a_core_that_is_not_there) {
  EXPECT_EQ(pin_this_thread(-1), PinOutcome::refused);
  EXPECT_EQ(pin_this_thread(1'000'000), PinOutcome::refused);
}

}  // namespace
}  // namespace makespan::machine

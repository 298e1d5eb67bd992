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

// In a thread of its own, so that the test's is left alone.
template <class Function>
void in_thread(Function const& function) {
  std::thread(function).join();
}

// Asked of the function that scopes call, so that a scope which ties nothing is no reason to skip.
bool can_pin(int core) {
  PinOutcome outcome{};
  in_thread([&] { outcome = pin_this_thread(core); });
  return outcome == PinOutcome::pinned;
}

TEST(PinScope, ties_a_thread_as_long_as_it_lives) {
  std::vector<int> const before = allowed_cores();
  if (!can_pin(before.back())) GTEST_SKIP() << "this system does not pin threads";
  std::vector<int> inside;
  std::vector<int> afterwards;

  in_thread([&] {
    {
      PinScope const scope(before.back());
      inside = allowed_cores();
    }
    afterwards = allowed_cores();
  });

  EXPECT_EQ(inside, std::vector<int>{before.back()});
  EXPECT_EQ(afterwards, before);
}

TEST(PinScope, gives_back_what_an_outer_one_had) {
  std::vector<int> const before = allowed_cores();
  if (!can_pin(before.front())) GTEST_SKIP() << "this system does not pin threads";
  std::vector<int> inside;
  std::vector<int> innermost;
  std::vector<int> afterwards;

  in_thread([&] {
    PinScope const outer(before.front());
    inside = allowed_cores();
    {
      PinScope const inner(before.back());
      innermost = allowed_cores();
    }
    afterwards = allowed_cores();
  });

  EXPECT_EQ(inside, std::vector<int>{before.front()});
  EXPECT_EQ(innermost, std::vector<int>{before.back()});
  EXPECT_EQ(afterwards, inside);
}

TEST(PinScope, of_no_core_changes_nothing) {
  std::vector<int> const before = allowed_cores();

  in_thread([&] {
    for (int const core : {-1, 1'000'000}) {
      PinScope const scope(core);
      EXPECT_EQ(allowed_cores(), before);
    }
  });
}

}  // namespace
}  // namespace makespan::machine

// SPDX-License-Identifier: Apache-2.0
// Goal: a wait ends when its condition holds, goes round by round until then, and is left properly
// when a round throws.
#include "makespan/pgas/operation/waiter.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace makespan::pgas {
namespace {

class CountingWaiter final : public Waiter {
 public:
  void wait_round(WaitState& state, Awaited const& what) override {
    ++rounds;
    ++state.rounds_idle;
    last_idle = state.rounds_idle;
    EXPECT_EQ(what.call, "test");
    if (rounds == throws_at) throw std::runtime_error("lost");
  }
  void enter_wait() override { ++inside; }
  void leave_wait() noexcept override { --inside; }

  int rounds{0};
  int throws_at{-1};
  int inside{0};
  std::int64_t last_idle{0};
};

TEST(WaiterTest, Condition_that_holds_needs_no_round) {
  CountingWaiter waiter;

  waiter.wait_until([&] { return waiter.inside == 0; }, {.call = "test"});

  EXPECT_EQ(waiter.rounds, 0);
}

TEST(WaiterTest, Wait_goes_on_until_condition_holds) {
  CountingWaiter waiter;

  waiter.wait_until([&] { return waiter.rounds == 5; }, {.call = "test"});

  EXPECT_EQ(waiter.rounds, 5);
  EXPECT_EQ(waiter.last_idle, 5);  // one state for the whole wait
  EXPECT_EQ(waiter.inside, 0);
}

TEST(WaiterTest, Waits_lie_inside_each_other) {
  CountingWaiter waiter;
  int deepest = 0;

  waiter.wait_until(
      [&] {
        if (waiter.rounds == 1) {
          waiter.wait_until(
              [&] {
                deepest = waiter.inside;
                return waiter.rounds == 3;
              },
              {.call = "test"});
        }
        return waiter.rounds == 4;
      },
      {.call = "test"});

  EXPECT_EQ(deepest, 2);
  EXPECT_EQ(waiter.inside, 0);
}

TEST(WaiterTest, Wait_is_left_when_a_round_throws) {
  CountingWaiter waiter;
  waiter.throws_at = 3;

  EXPECT_THROW(waiter.wait_until([] { return false; }, {.call = "test"}), std::runtime_error);

  EXPECT_EQ(waiter.rounds, 3);
  EXPECT_EQ(waiter.inside, 0);
}

}  // namespace
}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
// Goal: a sleep ends for what comes on a channel that no thread polls, and does not for what
// comes on one that a thread polls; a muted channel is watched again in the next sleep. Method:
// channels that are event counters; a sleep that nothing ends takes longest_time, a muted one
// muted_time, and one that something ends less.
#include "makespan/pgas/progress/detail/sleeper.hpp"

#include <gtest/gtest.h>
#include <sys/eventfd.h>

#include <chrono>
#include <cstdint>
#include <latch>
#include <thread>

namespace makespan::pgas {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

class SleeperTest : public testing::Test {
 protected:
  struct FakeChannel {
    explicit FakeChannel(Sleeper& sleeper) : listener{sleeper.add({arrivals.get()})} {}
    void bring() const {
      std::uint64_t const one = 1;
      ASSERT_EQ(::write(arrivals.get(), &one, sizeof one), 8);
    }
    void take() const {
      std::uint64_t count = 0;
      ASSERT_EQ(::read(arrivals.get(), &count, sizeof count), 8);
    }
    Descriptor arrivals{check_os(::eventfd(0, EFD_NONBLOCK), "eventfd")};
    WaitListener& listener;
  };

  Clock::duration time_of_sleep() {
    auto const begin = Clock::now();
    sleeper.sleep();
    return Clock::now() - begin;
  }
  // Sleeps in a thread of its own, while `meanwhile` happens 10 ms after its begin.
  template <class Meanwhile>
  Clock::duration time_of_sleep(Meanwhile&& meanwhile) {
    Clock::duration time{};
    std::latch begins(1);
    std::jthread thread([&] {
      auto const begin = Clock::now();
      begins.count_down();
      sleeper.sleep();
      time = Clock::now() - begin;
    });
    begins.wait();
    std::this_thread::sleep_for(10ms);
    meanwhile();
    thread.join();
    return time;
  }

  Sleeper sleeper;
  FakeChannel first{sleeper};
  FakeChannel second{sleeper};
};

TEST_F(SleeperTest, Sleep_ends_after_the_longest_time) {
  EXPECT_GE(time_of_sleep(), Sleeper::longest_time);
}

TEST_F(SleeperTest, Sleep_ends_when_something_comes) {
  EXPECT_LT(time_of_sleep([&] { second.bring(); }), Sleeper::longest_time);
}

TEST_F(SleeperTest, Sleep_does_not_begin_when_something_is_there) {
  first.bring();
  EXPECT_LT(time_of_sleep(), Sleeper::longest_time);
}

TEST_F(SleeperTest, Wake_ends_this_sleep_and_the_next) {
  EXPECT_LT(time_of_sleep([&] { sleeper.wake(); }), Sleeper::longest_time);
  EXPECT_LT(time_of_sleep(), Sleeper::longest_time);
}

TEST_F(SleeperTest, Sleep_ends_soon_after_a_channel_was_polled) {
  auto const time = time_of_sleep([&] { first.listener.on_wait(); });
  EXPECT_GE(time, 10ms + Sleeper::muted_time);
  EXPECT_LT(time, Sleeper::longest_time);
}

TEST_F(SleeperTest, Polled_channel_does_not_end_the_sleep) {
  auto const time = time_of_sleep([&] {
    first.listener.on_wait();
    first.bring();
  });
  EXPECT_GE(time, 10ms + Sleeper::muted_time);
}

TEST_F(SleeperTest, Another_channel_still_does) {
  // Long enough that the mute's own end does not count.
  for (int attempt = 0; attempt < 100; ++attempt) {
    Clock::time_point brought{};
    Clock::time_point woken{};
    std::jthread thread([&] {
      sleeper.sleep();
      woken = Clock::now();
    });
    std::this_thread::sleep_for(1ms);
    first.listener.on_wait();
    second.bring();
    brought = Clock::now();
    thread.join();
    second.take();
    if (woken - brought < Sleeper::muted_time / 2) return;
  }
  FAIL() << "no sleep ended before the mute did";
}

TEST_F(SleeperTest, Muted_channel_is_heard_in_the_next_sleep) {
  static_cast<void>(time_of_sleep([&] { first.listener.on_wait(); }));
  EXPECT_LT(time_of_sleep([&] { first.bring(); }), Sleeper::longest_time);
}

TEST_F(SleeperTest, Next_sleep_is_not_ended_by_the_last_ones_mute) {
  static_cast<void>(time_of_sleep([&] { first.listener.on_wait(); }));
  EXPECT_GE(time_of_sleep(), Sleeper::longest_time);
}

TEST_F(SleeperTest, Attention_to_one_who_is_awake_changes_nothing) {
  first.listener.on_wait();
  EXPECT_GE(time_of_sleep(), Sleeper::longest_time);
  first.bring();
  EXPECT_LT(time_of_sleep(), Sleeper::longest_time);
}

}  // namespace
}  // namespace makespan::pgas

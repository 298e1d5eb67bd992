// SPDX-License-Identifier: Apache-2.0
// Goal: a short sleep lasts as long as asked for at least, is not put off by the thread's timer
// slack, and leaves that as it was. Method: the kernel tells the slack of a thread that sleeps.
#include "makespan/pgas/progress/short_sleep.hpp"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <optional>
#include <string>
#include <thread>

namespace makespan::pgas {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// Of a thread of this process [ns]. Nothing where it is not told: to other threads it is only with
// the right to change them.
std::optional<long> slack_of(pid_t thread) {
  std::ifstream file("/proc/" + std::to_string(thread) + "/timerslack_ns");
  long slack_ns = 0;
  if (!(file >> slack_ns)) return std::nullopt;
  return slack_ns;
}

TEST(ShortSleep, lasts_as_long_as_asked_for) {
  auto const begin = Clock::now();
  short_sleep(200us);
  EXPECT_GE(Clock::now() - begin, 200us);
}

TEST(ShortSleep, has_no_slack_and_leaves_the_threads) {
  constexpr long slack_ns = 123'456;
  std::atomic<pid_t> sleeper{0};
  std::atomic<bool> is_over{false};
  std::jthread const thread([&] {
    ASSERT_EQ(::prctl(PR_SET_TIMERSLACK, slack_ns), 0);
    sleeper = ::gettid();
    for (int round = 0; round < 100; ++round) short_sleep(10ms);
    is_over = true;
    EXPECT_EQ(::prctl(PR_GET_TIMERSLACK), slack_ns);
  });

  while (sleeper == 0) std::this_thread::yield();
  if (!slack_of(sleeper)) GTEST_SKIP() << "the kernel does not tell the slack of other threads";
  bool was_without = false;
  while (!is_over && !was_without) was_without = slack_of(sleeper) == 1;
  EXPECT_TRUE(was_without);
}

}  // namespace
}  // namespace makespan::pgas

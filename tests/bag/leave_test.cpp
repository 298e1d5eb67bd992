// SPDX-License-Identifier: Apache-2.0
// Goal: a runner is told when a thread runs no more of its items, in that thread, once, before the
// run is over, however it ends; not of one that was left behind. Method: runners that note who
// called them.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "makespan/bag/device_team.hpp"
#include "makespan/bag/protocol/mode.hpp"
#include "team_fixture.hpp"

namespace makespan::bag {
namespace {

constexpr int threads_max = 5;

// By thread: who ran its items, and who said that it leaves.
class Noting final : public ItemRunner {
 public:
  void run(int thread, TaskId task, std::int64_t /*begin*/, std::int64_t /*end*/) override {
    Notes& notes = notes_[static_cast<std::size_t>(thread)];
    if (notes.left > 0) ++notes.late;
    notes.ran_in = std::this_thread::get_id();
    ++notes.runs;
    if (throws_ && task == TaskId{20}) throw std::runtime_error("item of task 20");
    if (blocks_ && task == TaskId{20}) free_at_.wait();
    std::this_thread::sleep_for(std::chrono::microseconds{20});
    ++returned_;
  }
  void leave(int thread) noexcept override {
    Notes& notes = notes_[static_cast<std::size_t>(thread)];
    ++notes.left;
    notes.left_in = std::this_thread::get_id();
  }

  void set_throws() { throws_ = true; }
  void set_blocks() { blocks_ = true; }
  // Those that are blocked go on; blocks until they are gone.
  void release() {
    free_.set_value();
    while (returned_ < ran()) std::this_thread::yield();
  }

  // Threads that ran something, and what is wrong with those; empty if all is well.
  [[nodiscard]] std::string trouble(int leaves) const {
    std::string text;
    for (Notes const& notes : notes_) {
      if (notes.left > 0 && notes.late > 0) text += " an item after it left;";
      if (notes.runs == 0) continue;
      if (notes.left != leaves) text += " left " + std::to_string(notes.left) + " times;";
      if (notes.left > 0 && notes.left_in != notes.ran_in) text += " left in another thread;";
    }
    return text;
  }
  [[nodiscard]] int ran() const {
    int all = 0;
    for (Notes const& notes : notes_) all += notes.runs > 0 ? 1 : 0;
    return all;
  }

 private:
  struct Notes {
    std::atomic<int> runs{0};
    int left{};
    int late{};
    std::thread::id ran_in{};
    std::thread::id left_in{};
  };
  std::array<Notes, threads_max> notes_{};
  std::atomic<bool> throws_{false};
  std::atomic<bool> blocks_{false};
  std::atomic<int> returned_{0};
  std::promise<void> free_{};
  std::shared_future<void> free_at_{free_.get_future()};
};

class EveryMode : public testing::TestWithParam<std::tuple<int, ModeEntry>> {
 protected:
  static TeamOptions options() {
    return one_device(std::get<0>(GetParam()), std::get<1>(GetParam()).mode);
  }
};

INSTANTIATE_TEST_SUITE_P(Leave, EveryMode,
                         testing::Combine(testing::Values(1, 2, threads_max),
                                          testing::ValuesIn(modes().begin(), modes().end())),
                         [](auto const& test) {
                           return std::to_string(std::get<0>(test.param)) + "_" +
                                  std::string(std::get<1>(test.param).name);
                         });

TEST_P(EveryMode, is_told_once_for_each_thread_and_run) {
  DeviceTeam team(options());
  for (int times = 0; times < 3; ++times) {
    Noting runner;

    ASSERT_TRUE(team.run(mixed_bag(), runner, {}).complete);

    EXPECT_GE(runner.ran(), 1);
    EXPECT_EQ(runner.trouble(1), "");
  }
}

TEST_P(EveryMode, is_told_when_an_item_throws) {
  DeviceTeam team(options());
  Noting runner;
  runner.set_throws();

  EXPECT_THROW(static_cast<void>(team.run(mixed_bag(), runner, {})), std::runtime_error);

  EXPECT_EQ(runner.trouble(1), "");
}

TEST(Leave, is_not_told_of_a_thread_that_is_left_behind) {
  Noting runner;
  runner.set_blocks();
  TeamOptions options = one_device(3);
  options.overdue.limit = Seconds{0.3};
  {
    DeviceTeam team(options);

    // Those that take the item again hang at it, too, and the last of them ends the run.
    EXPECT_ANY_THROW(static_cast<void>(team.run(Bag({{TaskId{20}, 1, Work{1.0}}}), runner, {})));

    EXPECT_TRUE(team.has_left_threads_behind());
    EXPECT_EQ(runner.ran(), 3);
    EXPECT_EQ(runner.trouble(0), "");
  }
  runner.release();
  EXPECT_EQ(runner.trouble(0), "");
}

}  // namespace
}  // namespace makespan::bag

// SPDX-License-Identifier: Apache-2.0
// Goal: a thread that hangs in an item costs its item's time and no more: another runs the item,
// the second result does not count, and with a time limit the run ends without the thread. Method:
// an item that goes on when the test says so, and not before.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "makespan/bag/device_failed.hpp"
#include "makespan/bag/device_team.hpp"
#include "makespan/bag/dispatcher.hpp"

namespace makespan::bag {
namespace {

using testing::HasSubstr;

constexpr std::int64_t items = 40;
constexpr std::int64_t slow_item = 3;

// One of its items blocks the first thread that runs it. Counts what came of items, by the rules of
// ItemRunner.
class Hanging final : public ItemRunner {
 public:
  explicit Hanging(int threads) : held_(static_cast<std::size_t>(threads)) {}

  void run(int thread, TaskId /*task*/, std::int64_t begin, std::int64_t end) override {
    ++inside_;
    for (std::int64_t item = begin; item < end; ++item) {
      if (item == slow_item) block_first();
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      held_[static_cast<std::size_t>(thread)].push_back(item);
    }
    --inside_;
  }
  void keep(int thread) override {
    for (std::int64_t const item : held_[static_cast<std::size_t>(thread)]) {
      ++counts_[static_cast<std::size_t>(item)];
    }
    drop(thread);
  }
  void drop(int thread) override { held_[static_cast<std::size_t>(thread)].clear(); }
  void on_overdue(OverduePiece const& piece) override { overdue_.push_back(piece); }

  // The one that is blocked goes on; blocks until it is gone.
  void release() {
    free_.set_value();
    while (inside_ > 0) std::this_thread::yield();
  }
  // Calls this then.
  void on_block(std::function<void()> call) { on_block_ = std::move(call); }
  // It does when another thread runs the same item.
  void free_by_second_run() { frees_itself_ = true; }

  // Items that do not count once, and how often they do; empty if all is well.
  [[nodiscard]] std::string trouble() const {
    std::string text;
    for (std::size_t item = 0; item < counts_.size(); ++item) {
      if (counts_[item] == 1) continue;
      text += " item " + std::to_string(item) + ": " + std::to_string(counts_[item]);
    }
    return text;
  }
  [[nodiscard]] std::vector<OverduePiece> const& overdue() const { return overdue_; }

 private:
  void block_first() {
    int const runs_before = runs_of_slow_++;
    if (runs_before == 0) {
      if (on_block_) on_block_();
      free_.get_future().wait();
    }
    if (runs_before == 1 && frees_itself_) free_.set_value();
  }

  std::function<void()> on_block_{};
  std::promise<void> free_{};
  std::atomic<int> runs_of_slow_{0};
  std::atomic<int> inside_{0};
  std::atomic<bool> frees_itself_{false};
  std::vector<std::vector<std::int64_t>> held_;  // by thread
  std::array<std::atomic<int>, items> counts_{};
  std::vector<OverduePiece> overdue_{};
};

Bag bag_of_one_task() {
  return Bag({{TaskId{5}, items, Work{1.0}}});
}

TeamOptions three_threads(OverdueRule const& rule, Dispatcher dispatcher) {
  return {.devices = {{.threads = 3}}, .policy = "self", .dispatcher = dispatcher, .overdue = rule};
}

class EveryDispatcher : public testing::TestWithParam<DispatcherEntry> {};

INSTANTIATE_TEST_SUITE_P(Overdue, EveryDispatcher,
                         testing::ValuesIn(dispatchers().begin(), dispatchers().end()),
                         [](auto const& test) { return std::string(test.param.name); });

// It ends only if another one runs the item that hangs.
TEST_P(EveryDispatcher, lets_another_thread_run_what_is_overdue) {
  if (GetParam().dispatcher == Dispatcher::boss)
    GTEST_SKIP() << "one worker gets the task, and no other shows a speed";
  DeviceTeam team(three_threads({.floor = Seconds{0.2}, .run_again = true}, GetParam().dispatcher));
  Hanging runner(team.threads());
  runner.free_by_second_run();

  TeamReport const report = team.run(bag_of_one_task(), runner, {});

  EXPECT_TRUE(report.complete);
  EXPECT_EQ(runner.trouble(), "");
  ASSERT_EQ(report.overdue.size(), 1U);
  EXPECT_EQ(report.overdue.front().task, TaskId{5});
  EXPECT_LE(report.overdue.front().items.begin, slow_item);
  EXPECT_GT(report.overdue.front().items.end, slow_item);
  EXPECT_GE(report.overdue.front().at_it, Seconds{0.2});
  EXPECT_FALSE(report.overdue.front().is_lost);
  EXPECT_EQ(runner.overdue().size(), 1U);
  EXPECT_FALSE(team.has_left_threads_behind());
}

TEST_P(EveryDispatcher, ends_without_a_thread_that_is_lost) {
  auto const runner = std::make_unique<Hanging>(3);
  {
    DeviceTeam team(three_threads({.limit = Seconds{0.3}}, GetParam().dispatcher));

    TeamReport const report = team.run(bag_of_one_task(), *runner, {});

    EXPECT_TRUE(report.complete);
    EXPECT_EQ(runner->trouble(), "");
    EXPECT_TRUE(report.failed_devices.empty()) << "two of its threads work";
    ASSERT_EQ(report.overdue.size(), 1U);
    EXPECT_TRUE(report.overdue.front().is_lost);
    EXPECT_TRUE(team.has_left_threads_behind());

    Hanging second(3);
    second.release();
    EXPECT_TRUE(team.run(bag_of_one_task(), second, {}).complete);
    EXPECT_EQ(second.trouble(), "");
  }
  runner->release();
  EXPECT_EQ(runner->trouble(), "") << "nothing that it does now counts";
}

// What the runner does with the news ends the run, and no thread is forgotten over it.
TEST(Overdue, ends_a_run_whose_runner_throws_at_the_news) {
  class Thrower final : public ItemRunner {
   public:
    void run(int /*thread*/, TaskId /*task*/, std::int64_t begin, std::int64_t /*end*/) override {
      if (begin == slow_item && !has_hung_.exchange(true)) free_.get_future().wait();
    }
    void on_overdue(OverduePiece const& /*piece*/) override {
      throw std::runtime_error("the runner's own");
    }
    void release() { free_.set_value(); }

   private:
    std::atomic<bool> has_hung_{false};
    std::promise<void> free_{};
  };
  Thrower runner;
  std::optional<DeviceTeam> team;
  team.emplace(three_threads({.limit = Seconds{0.3}}, Dispatcher::counter));

  EXPECT_THROW(static_cast<void>(team->run(bag_of_one_task(), runner, {})), std::runtime_error);

  EXPECT_TRUE(team->has_left_threads_behind());
  team.reset();  // does not wait for it
  runner.release();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // until it has left the runner
}

// What the runner does with the news counts at once: no thread hangs in an item that was given up.
TEST(Overdue, gives_its_items_to_no_other_thread_when_the_runner_ends_the_run) {
  class Ender final : public ItemRunner {
   public:
    void run(int /*thread*/, TaskId /*task*/, std::int64_t begin, std::int64_t /*end*/) override {
      if (begin == slow_item && ++runs == 1) free.get_future().wait();
    }
    void on_overdue(OverduePiece const& /*piece*/) override {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));  // others wait for items
      stop.request_stop();
    }

    std::atomic<int> runs{0};
    std::promise<void> free{};
    std::stop_source stop{};
  };
  Ender runner;
  {
    DeviceTeam team(three_threads({.limit = Seconds{0.3}}, Dispatcher::counter));
    static_cast<void>(team.run(bag_of_one_task(), runner, runner.stop.get_token()));
  }
  EXPECT_EQ(runner.runs, 1);
  runner.free.set_value();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // until it has left the runner
}

TEST(Overdue, fails_with_the_item_when_no_thread_is_left) {
  auto const runner = std::make_unique<Hanging>(1);
  {
    DeviceTeam team({.devices = {{.threads = 1}}, .overdue = {.limit = Seconds{0.3}}});
    try {
      static_cast<void>(team.run(bag_of_one_task(), *runner, {}));
      FAIL() << "it ended as if all had run";
    } catch (DeviceFailed const& failure) {
      EXPECT_THAT(failure.what(), HasSubstr("device 0 has not answered for"));
      EXPECT_THAT(failure.what(), HasSubstr("of task 5"));
    }
    EXPECT_EQ(team.idle_report().failed_devices, std::vector{0});
    EXPECT_EQ(team.last_report().overdue.size(), 1U);
    EXPECT_THROW(static_cast<void>(team.run(bag_of_one_task(), *runner, {})), DeviceFailed);
  }
  runner->release();
}

// Of a device that claims as one no thread can be missing.
TEST(Overdue, takes_a_device_that_claims_as_one_as_lost_with_its_thread) {
  for (Mode const mode : {Mode::mt, Mode::mth}) {
    auto const runner = std::make_unique<Hanging>(3);
    {
      DeviceTeam team({.devices = {{.threads = 2, .mode = mode}, {.threads = 1}},
                       .policy = "static",
                       .overdue = {.limit = Seconds{0.3}}});

      TeamReport const report = team.run(bag_of_one_task(), *runner, {});

      EXPECT_TRUE(report.complete);
      EXPECT_EQ(runner->trouble(), "");
      EXPECT_EQ(report.overdue.size(), 1U);
      Hanging second(3);
      second.release();
      EXPECT_TRUE(team.run(bag_of_one_task(), second, {}).complete);
    }
    runner->release();
  }
}

TEST(Overdue, fails_with_the_item_when_the_only_device_claims_as_one) {
  auto const runner = std::make_unique<Hanging>(2);
  {
    DeviceTeam team(
        {.devices = {{.threads = 2, .mode = Mode::mt}}, .overdue = {.limit = Seconds{0.3}}});
    try {
      static_cast<void>(team.run(bag_of_one_task(), *runner, {}));
      FAIL() << "it ended as if all had run";
    } catch (DeviceFailed const& failure) {
      EXPECT_THAT(failure.what(), HasSubstr("device 0 has not answered for"));
    }
    EXPECT_EQ(team.idle_report().failed_devices, std::vector{0});
  }
  runner->release();
}

// A stop does not wait longer than the limit either.
TEST(Overdue, ends_a_stopped_run_without_a_thread_that_is_lost) {
  auto const runner = std::make_unique<Hanging>(1);
  {
    DeviceTeam team({.devices = {{.threads = 1}}, .overdue = {.limit = Seconds{0.3}}});
    std::stop_source stop;
    runner->on_block([&stop] { stop.request_stop(); });

    EXPECT_THROW(static_cast<void>(team.run(bag_of_one_task(), *runner, stop.get_token())),
                 DeviceFailed);

    EXPECT_TRUE(team.has_left_threads_behind());
  }
  runner->release();
}

}  // namespace
}  // namespace makespan::bag

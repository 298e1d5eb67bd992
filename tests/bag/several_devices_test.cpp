// SPDX-License-Identifier: Apache-2.0
// Goal: devices of any modes share a bag, each item once, also when one of them slows down or
// fails. Method: runners that count, devices that are told to fail, every pair of modes.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <latch>
#include <optional>
#include <span>
#include <stdexcept>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "forwarding_source.hpp"
#include "makespan/bag/detail/local_dispatcher.hpp"
#include "makespan/bag/device_failed.hpp"
#include "makespan/bag/device_team.hpp"
#include "makespan/bag/team_clock.hpp"
#include "makespan/bag/team_job.hpp"
#include "makespan/bag/team_state.hpp"
#include "makespan/bag/worker_board.hpp"
#include "team_fixture.hpp"

namespace makespan::bag {
namespace {

constexpr std::array modes_of_devices{Mode::automatic, Mode::mt, Mode::mo, Mode::mth};

// Two devices, of two threads and of one, with each pair of modes.
class TwoDevices : public testing::TestWithParam<std::tuple<Mode, Mode>> {
 protected:
  static TeamOptions options(std::vector<Injection> injections = {}) {
    auto const [first, second] = GetParam();
    return {.devices = {{.threads = 2, .mode = first}, {.threads = 1, .mode = second}},
            .injections = std::move(injections)};
  }
};

INSTANTIATE_TEST_SUITE_P(DeviceTeam, TwoDevices,
                         testing::Combine(testing::ValuesIn(modes_of_devices),
                                          testing::ValuesIn(modes_of_devices)));

TEST_P(TwoDevices, run_every_item_once) {
  DeviceTeam team(options());
  Bag const bag = mixed_bag();
  Counters counters(bag);
  Runner runner([&](int, TaskId task, ItemRange items) { counters.count(task, items); });

  for (int times = 1; times <= 5; ++times) {
    EXPECT_TRUE(team.run(bag, runner, {}).complete);
    EXPECT_TRUE(counters.all_are(times));
  }
  EXPECT_EQ(team.devices(), 2);
  EXPECT_EQ(team.device_of(0), 0);
  EXPECT_EQ(team.device_of(1), 0);
  EXPECT_EQ(team.device_of(2), 1);
}

// Says when a device's worker has left. What others ask goes on to a dispatcher.
class LeaveWatch final : public ForwardingSource {
 public:
  LeaveWatch(ClaimSource& source, TeamLayout const& layout, int device)
      : ForwardingSource{source}, layout_{layout}, device_{device} {}

  void leave(int worker) override {
    ForwardingSource::leave(worker);
    bool const is_meant = layout_.role(layout_.claiming_thread(worker)).device == device_;
    if (is_meant && !has_left_.exchange(true)) left.count_down();
  }

  std::latch left{1};

 private:
  TeamLayout const& layout_;
  int device_;
  std::atomic<bool> has_left_{false};
};

// What the failed device had finished is not run again, and what it had not is: each item once. The
// other waits in its first items, or it could run all of the bag before this one comes to its item.
TEST_P(TwoDevices, run_every_item_once_when_one_fails) {
  for (int const device : {0, 1}) {
    for (std::int64_t const item : {0, 17, 100}) {
      DeviceTeam team(options({{.device = device, .item = item}}));
      Bag const bag = mixed_bag();
      Counters counters(bag);
      std::atomic<bool> failed_device_works{false};
      std::atomic<int> round{0};
      std::latch* failed = nullptr;
      Runner runner([&](int thread, TaskId task, ItemRange items) {
        if (round == 0 && team.device_of(thread) != device) failed->wait();
        if (round > 0 && team.device_of(thread) == device) failed_device_works = true;
        counters.count(task, items);
      });
      WorkerBoard board(team.layout().workers());
      SystemClock const clock;
      LocalDispatcher dispatcher(bag, runner, team.layout(), Dispatcher::steal,
                                 {.state = team.state(), .board = board, .clock = clock});
      LeaveWatch source(dispatcher, team.layout(), device);
      failed = &source.left;

      TeamReport const report = team.run({.bag = bag, .runner = runner, .stop = {}}, source, board);
      EXPECT_TRUE(report.complete);
      EXPECT_TRUE(counters.all_are(1));
      EXPECT_EQ(report.failed_devices, std::vector<int>{device});
      round = 1;
      EXPECT_TRUE(team.run(bag, runner, {}).complete);
      EXPECT_TRUE(counters.all_are(2));
      EXPECT_FALSE(failed_device_works);
    }
  }
}

TEST_P(TwoDevices, throw_the_failure_when_none_is_left) {
  DeviceTeam team(options({{.device = 0, .item = 3}, {.device = 1, .item = 3}}));
  Bag const bag = mixed_bag();
  Counters counters(bag);
  Runner runner([&](int, TaskId task, ItemRange items) { counters.count(task, items); });

  EXPECT_THROW(team.run(bag, runner, {}), DeviceFailed);
  EXPECT_THROW(team.run(bag, runner, {}), DeviceFailed);
}

TEST_P(TwoDevices, end_with_what_an_item_threw) {
  DeviceTeam team(options());
  Runner thrower([](int, TaskId task, ItemRange) {
    if (task == TaskId{4}) throw std::runtime_error("item of task 4");
  });

  EXPECT_THROW(team.run(mixed_bag(), thrower, {}), std::runtime_error);
}

// A device that sleeps through its items loses what it holds to the other, which ends all but the
// item at hand.
TEST(DeviceTeam, takes_the_tail_of_a_slow_device) {
  DeviceTeam team({.devices = {{.threads = 1}, {.threads = 1}},
                   .policy = "static",
                   .injections = {{.kind = Injection::Kind::slow, .device = 0, .factor = 50.0}}});
  Bag const bag({{TaskId{0}, 400, Work{1.0}}});
  std::array<std::atomic<int>, 2> ran{};
  Runner runner([&](int thread, TaskId, ItemRange items) {
    ran[static_cast<std::size_t>(thread)] += static_cast<int>(items.items());
    std::this_thread::sleep_for(std::chrono::microseconds(200) * items.items());
  });

  TeamReport const report = team.run(bag, runner, {});

  EXPECT_GE(report.steals, 1);
  EXPECT_EQ(ran[0] + ran[1], 400);
  EXPECT_GT(ran[1], 300);  // static gave it 200
}

TEST(DeviceTeam, takes_no_tails_when_told_not_to) {
  DeviceTeam team({.devices = {{.threads = 1}, {.threads = 1}},
                   .policy = "static",
                   .dispatcher = Dispatcher::counter,
                   .injections = {{.kind = Injection::Kind::slow, .device = 0, .factor = 5.0}}});
  std::array<std::atomic<int>, 2> ran{};
  Runner runner([&](int thread, TaskId, ItemRange items) {
    ran[static_cast<std::size_t>(thread)] += static_cast<int>(items.items());
    std::this_thread::sleep_for(std::chrono::microseconds(20) * items.items());
  });

  TeamReport const report = team.run(Bag({{TaskId{0}, 400, Work{1.0}}}), runner, {});

  EXPECT_EQ(report.steals, 0);
  EXPECT_EQ(ran[0], 200);
  EXPECT_EQ(ran[1], 200);
}

TEST(DeviceTeam, mth_lays_whole_tasks_on_threads_while_there_are_as_many) {
  constexpr int threads = 3;
  DeviceTeam team(one_device(threads, Mode::mth, "static"));
  std::vector<Segment> segments;
  for (int task = 0; task < 8; ++task) segments.push_back({TaskId{task}, 12, Work{1.0}});
  std::array<std::atomic<int>, 8> calls{};
  Runner runner(
      [&](int, TaskId task, ItemRange) { ++calls[static_cast<std::size_t>(task.value())]; });

  team.run(Bag(std::move(segments)), runner, {});

  for (int task = 0; task < 8; ++task) {
    if (task < 6) {
      EXPECT_EQ(calls[static_cast<std::size_t>(task)], 1) << task;
    } else {
      EXPECT_GT(calls[static_cast<std::size_t>(task)], 1) << task;
    }
  }
}

TEST(DeviceTeam, remembers_devices_that_failed_in_a_run_that_its_caller_ended) {
  std::atomic<bool> has_failed{false};
  std::atomic<bool> is_over{false};
  Runner runner([&](int thread, TaskId, ItemRange) {
    if (thread == 0) {
      has_failed = true;
      throw DeviceFailed("as it was told to");
    }
    while (!is_over) std::this_thread::yield();
  });
  DeviceTeam team({.devices = {{.threads = 1}, {.threads = 1}}, .policy = "self"});
  Bag const bag({{TaskId{0}, 2, Work{1.0}}});
  WorkerBoard board(2);
  SystemClock const clock;
  LocalDispatcher source(bag, runner, team.layout(), Dispatcher::counter,
                         {.state = team.state(), .board = board, .clock = clock});
  auto const meanwhile = [&]() -> std::chrono::microseconds {
    if (!has_failed) return std::chrono::microseconds(100);
    is_over = true;
    throw std::runtime_error("the caller");
  };

  EXPECT_THROW(team.run({.bag = bag, .runner = runner, .stop = {}}, source, board, meanwhile),
               std::runtime_error);
  EXPECT_EQ(team.last_report().failed_devices, std::vector{0});
  EXPECT_EQ(team.idle_report().failed_devices, std::vector{0});
}

}  // namespace
}  // namespace makespan::bag

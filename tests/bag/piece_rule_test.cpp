// SPDX-License-Identifier: Apache-2.0
// Goal: a device that takes launches gets pieces over tasks, as large as its rule says, beside
// devices that do not; and what it fails at runs elsewhere. Method: runners that count and look.
#include "makespan/bag/detail/piece_rule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <latch>
#include <vector>

#include "makespan/bag/device_failed.hpp"
#include "makespan/base/error.hpp"
#include "team_fixture.hpp"

namespace makespan::bag {
namespace {

// Two threads that take launches, and beside them a CPU of so many.
TeamOptions with_launches(int cpu_threads, PieceRule rule) {
  rule.spans_tasks = true;
  TeamOptions options{.devices = {{.threads = 2, .pieces = rule}}};
  if (cpu_threads > 0) options.devices.push_back({.threads = cpu_threads});
  return options;
}

// What it was given in one call, of one task or of several.
class LaunchRunner final : public ItemRunner {
 public:
  using Seen = std::function<void(int thread, std::span<TaskItems const>)>;
  LaunchRunner(Bag const& bag, Seen seen, std::function<void()> before_cpu = {})
      : counters_{bag}, seen_{std::move(seen)}, before_cpu_{std::move(before_cpu)} {}

  void run(int thread, TaskId task, std::int64_t item_begin, std::int64_t item_end) override {
    EXPECT_GE(thread, 2) << "a launch of one task is a launch";
    if (before_cpu_) before_cpu_();
    counters_.count(task, {item_begin, item_end});
  }

  void run_all(int thread, std::span<TaskItems const> parts) override {
    EXPECT_LT(thread, 2) << "a CPU has one task at a time";
    if (seen_) seen_(thread, parts);
    for (TaskItems const& part : parts) counters_.count(part.task, part.items);
  }

  [[nodiscard]] bool all_are(int times) const { return counters_.all_are(times); }

 private:
  Counters counters_;
  Seen seen_;
  std::function<void()> before_cpu_;
};

std::int64_t items_of(std::span<TaskItems const> parts) {
  std::int64_t items = 0;
  for (TaskItems const& part : parts) {
    EXPECT_FALSE(part.items.empty());
    items += part.items.items();
  }
  return items;
}

TEST(PieceRule, lets_launches_and_pieces_share_a_bag) {
  Bag const bag = mixed_bag();
  for (int const cpu_threads : {0, 1, 3}) {
    for (std::int64_t const least : {1, 7, 1000}) {
      DeviceTeam team(with_launches(cpu_threads, {.items_min = least}));
      LaunchRunner runner(bag, {});

      for (int times = 1; times <= 5; ++times) {
        EXPECT_TRUE(team.run(bag, runner, {}).complete);
        EXPECT_TRUE(runner.all_are(times)) << cpu_threads << " CPU threads, " << least;
      }
    }
  }
}

TEST(PieceRule, keeps_launches_between_its_limits) {
  Bag const bag = mixed_bag();
  std::int64_t const all = bag.items();
  auto const launches_of = [&](PieceRule const& rule) {
    TeamOptions options = with_launches(0, rule);
    options.devices.front().threads = 1;
    options.dispatcher = Dispatcher::fixed;  // all of the bag is one chunk
    DeviceTeam team(options);
    std::vector<std::int64_t> sizes;
    LaunchRunner runner(bag, [&](int /*thread*/, std::span<TaskItems const> parts) {
      sizes.push_back(items_of(parts));
    });
    EXPECT_TRUE(team.run(bag, runner, {}).complete);
    EXPECT_TRUE(runner.all_are(1));
    return sizes;
  };
  auto const whole = static_cast<std::size_t>(all / 9);

  EXPECT_EQ(launches_of({.time = Seconds{0.0}, .items_min = all}), std::vector{all});
  EXPECT_EQ(launches_of({.time = Seconds{1e9}, .items_min = 1, .items_max = 1}),
            std::vector(static_cast<std::size_t>(all), std::int64_t{1}));
  auto nines = std::vector(whole, std::int64_t{9});
  if (all % 9 != 0) nines.push_back(all % 9);
  EXPECT_EQ(launches_of({.time = Seconds{0.0}, .items_min = 9}), nines);
}

// All parts in the bag's order, without a gap.
TEST(PieceRule, lets_a_launch_go_over_tasks) {
  Bag const bag = mixed_bag();
  DeviceTeam team(with_launches(0, {.items_min = bag.items()}));
  std::atomic<std::size_t> most{0};
  LaunchRunner runner(bag, [&](int /*thread*/, std::span<TaskItems const> parts) {
    most = std::max(most.load(), parts.size());
    for (std::size_t i = 1; i < parts.size(); ++i) {
      auto const tasks = bag.segments();
      auto const at = std::ranges::find(tasks, parts[i - 1].task, &Segment::task);
      EXPECT_EQ(parts[i - 1].items.end, at->items);
      EXPECT_EQ(parts[i].task, (at + 1)->task);
      EXPECT_EQ(parts[i].items.begin, 0);
    }
  });

  EXPECT_TRUE(team.run(bag, runner, {}).complete);
  EXPECT_GT(most, 3U);
}

// The CPU waits for the launch that fails, or it could have run all of the bag before.
TEST(PieceRule, lets_others_run_what_a_launch_failed_at) {
  Bag const bag = mixed_bag();
  DeviceTeam team(with_launches(1, {.items_min = 20, .items_max = 20}));
  std::latch second{1};
  std::atomic<int> launches{0};
  LaunchRunner runner(
      bag,
      [&](int /*thread*/, std::span<TaskItems const> /*parts*/) {
        if (++launches != 2) return;
        second.count_down();
        throw DeviceFailed("no memory");
      },
      [&] { second.wait(); });

  TeamReport const report = team.run(bag, runner, {});

  EXPECT_TRUE(report.complete);
  EXPECT_EQ(report.failed_devices, std::vector<int>{0});
  EXPECT_TRUE(runner.all_are(1));
}

TEST(PieceRule, wants_one_item_at_least_and_threads_that_claim_for_themselves) {
  EXPECT_THROW(DeviceTeam(with_launches(0, {.items_min = 0})), InputError);
  EXPECT_THROW(DeviceTeam(with_launches(0, {.items_min = 3, .items_max = 2})), InputError);
  EXPECT_THROW(DeviceTeam(with_launches(0, {.time = Seconds{HUGE_VAL}})), InputError);
  EXPECT_THROW(DeviceTeam(with_launches(0, {.cost = Seconds{std::nan("")}})), InputError);
  TeamOptions options = with_launches(0, {});
  options.devices.front().mode = Mode::mt;
  EXPECT_THROW(DeviceTeam{options}, InputError);
}

}  // namespace
}  // namespace makespan::bag

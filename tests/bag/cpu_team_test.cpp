// SPDX-License-Identifier: Apache-2.0
// Goal: every item runs once whatever the threads, mode and policy; modes keep their word on real
// threads; stops and exceptions end a run and leave the team fit for the next. Method: runners that
// count and look around. No test looks at the time that something took.
#include "makespan/bag/cpu_team.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <latch>
#include <map>
#include <numeric>
#include <ostream>
#include <stdexcept>
#include <string>

#include "makespan/bag/policy/policy_registry.hpp"
#include "makespan/base/error.hpp"

namespace makespan::bag {
namespace {

Bag mixed_bag() {
  std::vector<Segment> segments;
  for (std::int64_t task = 0; task < 40; ++task) {
    segments.push_back(
        {TaskId{task}, 1 + task * 7 % 13, Work{1.0 + static_cast<double>(task % 5)}});
  }
  return Bag(std::move(segments));
}

// A runner made of a function, with what every call must keep.
template <class Function>
class Runner final : public ItemRunner {
 public:
  explicit Runner(Function function) : function_(std::move(function)) {}

  void run(int worker, TaskId task, std::int64_t item_begin, std::int64_t item_end) override {
    EXPECT_LT(item_begin, item_end);
    function_(worker, task, ItemRange{item_begin, item_end});
  }

 private:
  Function function_;
};

// How often each item of each task ran. Safe from several threads: each counter is atomic.
class Counters {
 public:
  explicit Counters(Bag const& bag) {
    for (Segment const& segment : bag.segments()) {
      counts_.emplace(segment.task,
                      std::vector<std::atomic<int>>(static_cast<std::size_t>(segment.items)));
    }
  }

  void count(TaskId task, ItemRange items) {
    for (std::int64_t item = items.begin; item < items.end; ++item) {
      ++counts_.at(task)[static_cast<std::size_t>(item)];
    }
  }

  [[nodiscard]] bool all_are(int times) const {
    return std::ranges::all_of(counts_, [times](auto const& task) {
      return std::ranges::all_of(task.second,
                                 [times](auto const& count) { return count == times; });
    });
  }

  [[nodiscard]] bool task_is_done(TaskId task) const {
    return std::ranges::all_of(counts_.at(task), [](auto const& count) { return count > 0; });
  }

 private:
  std::map<TaskId, std::vector<std::atomic<int>>> counts_;
};

struct TeamKind {
  int threads;
  ModeEntry mode;
  PolicyEntry policy;

  [[nodiscard]] TeamOptions options() const {
    return {.threads = threads, .mode = mode.mode, .policy = std::string(policy.name)};
  }
};

// How a failed test names its parameters.
std::string name_of(TeamKind const& kind) {
  return std::to_string(kind.threads) + "_" + std::string(kind.mode.name) + "_" +
         std::string(kind.policy.name);
}

void PrintTo(TeamKind const& kind, std::ostream* out) {
  *out << name_of(kind);
}

std::vector<TeamKind> all_kinds() {
  std::vector<TeamKind> kinds;
  for (int const threads : {1, 2, 3, 5}) {
    for (ModeEntry const& mode : modes()) {
      for (PolicyEntry const& policy : policies()) kinds.push_back({threads, mode, policy});
    }
  }
  return kinds;
}

class EveryTeam : public testing::TestWithParam<TeamKind> {};

INSTANTIATE_TEST_SUITE_P(CpuTeam, EveryTeam, testing::ValuesIn(all_kinds()),
                         [](auto const& test) { return name_of(test.param); });

TEST_P(EveryTeam, runs_every_item_once_in_each_of_five_runs) {
  CpuTeam team(GetParam().options());
  Bag const bag = mixed_bag();
  Counters counters(bag);
  Runner runner([&](int worker, TaskId task, ItemRange items) {
    EXPECT_LT(worker, GetParam().threads);
    counters.count(task, items);
  });

  for (int times = 1; times <= 5; ++times) {
    TeamReport const report = team.run(bag, runner, {});

    EXPECT_TRUE(counters.all_are(times));
    EXPECT_TRUE(report.complete);
    EXPECT_DOUBLE_EQ(report.work_done.value(), bag.work().value());
  }
}

TEST_P(EveryTeam, runs_an_empty_bag_and_one_item) {
  CpuTeam team(GetParam().options());
  std::atomic<int> calls{0};
  Runner runner([&](int, TaskId, ItemRange) { ++calls; });

  EXPECT_TRUE(team.run(Bag({}), runner, {}).complete);
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(team.run(Bag({{TaskId{7}, 1, Work{1.0}}}), runner, {}).claims, 1);
  EXPECT_EQ(calls, 1);
}

TEST_P(EveryTeam, throws_what_an_item_threw_and_works_on_afterwards) {
  CpuTeam team(GetParam().options());
  Bag const bag = mixed_bag();
  Runner thrower([](int, TaskId task, ItemRange) {
    if (task == TaskId{4}) throw std::runtime_error("item of task 4");
  });
  Counters counters(bag);
  Runner counter([&](int, TaskId task, ItemRange items) { counters.count(task, items); });

  EXPECT_THROW(team.run(bag, thrower, {}), std::runtime_error);
  team.run(bag, counter, {});

  EXPECT_TRUE(counters.all_are(1));
}

TEST_P(EveryTeam, stops_in_the_middle_and_works_on_afterwards) {
  CpuTeam team(GetParam().options());
  Bag const bag = mixed_bag();
  std::stop_source source;
  Counters counters(bag);
  Runner stopper([&](int, TaskId task, ItemRange items) {
    source.request_stop();
    counters.count(task, items);
  });

  TeamReport const stopped = team.run(bag, stopper, source.get_token());

  EXPECT_FALSE(stopped.complete);
  EXPECT_GT(stopped.work_done, Work{0.0});
  EXPECT_LT(stopped.work_done, bag.work());
  EXPECT_LE(stopped.claims, GetParam().threads);
  EXPECT_TRUE(team.run(bag, stopper, {}).complete);
}

TEST_P(EveryTeam, reports_times_that_fit_together) {
  CpuTeam team(GetParam().options());
  Bag const bag = mixed_bag();
  Runner runner([](int, TaskId, ItemRange items) {
    auto const end =
        std::chrono::steady_clock::now() + std::chrono::microseconds(5 * items.items());
    while (std::chrono::steady_clock::now() < end) {
    }
  });

  TeamReport const report = team.run(bag, runner, {});

  ASSERT_EQ(report.busy.size(), static_cast<std::size_t>(GetParam().threads));
  for (Seconds const busy : report.busy) EXPECT_LE(busy, report.makespan);
  EXPECT_GT(report.ideal, Seconds{0.0});
  // Each worker's speed times its busy time is its work, and nobody is busy for longer than the
  // makespan.
  EXPECT_LE(report.ideal, report.makespan * (1.0 + 1e-12));
  EXPECT_EQ(std::accumulate(report.work.begin(), report.work.end(), Work{}), report.work_done);
}

class EveryThreadCount : public testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(CpuTeam, EveryThreadCount, testing::Values(1, 2, 3, 5));

TEST_P(EveryThreadCount, mt_never_begins_a_task_before_the_one_before_is_finished) {
  for (PolicyEntry const& policy : policies()) {
    CpuTeam team({.threads = GetParam(), .mode = Mode::mt, .policy = std::string(policy.name)});
    Bag const bag = mixed_bag();
    std::map<TaskId, TaskId> before;
    for (std::size_t at = 1; at < bag.segments().size(); ++at) {
      before.emplace(bag.segments()[at].task, bag.segments()[at - 1].task);
    }
    Counters counters(bag);
    Runner runner([&](int, TaskId task, ItemRange items) {
      auto const earlier = before.find(task);
      EXPECT_TRUE(earlier == before.end() || counters.task_is_done(earlier->second));
      counters.count(task, items);
    });

    team.run(bag, runner, {});

    EXPECT_TRUE(counters.all_are(1));
  }
}

TEST_P(EveryThreadCount, mo_never_splits_a_task) {
  for (PolicyEntry const& policy : policies()) {
    CpuTeam team({.threads = GetParam(), .mode = Mode::mo, .policy = std::string(policy.name)});
    Bag const bag = mixed_bag();
    std::map<TaskId, std::int64_t> sizes;
    for (Segment const& segment : bag.segments()) sizes.emplace(segment.task, segment.items);
    std::atomic<int> calls{0};
    Runner runner([&](int, TaskId task, ItemRange items) {
      EXPECT_EQ(items, (ItemRange{0, sizes.at(task)}));
      ++calls;
    });

    team.run(bag, runner, {});

    EXPECT_EQ(calls, bag.tasks());
  }
}

TEST_P(EveryThreadCount, all_threads_work_at_the_same_time) {
  int const threads = GetParam();
  CpuTeam team({.threads = threads, .policy = "self"});
  std::latch everyone(threads);
  std::vector<std::atomic<int>> calls(static_cast<std::size_t>(threads));
  Runner runner([&](int worker, TaskId, ItemRange) {
    // Nobody comes through before all threads hold an item.
    if (calls[static_cast<std::size_t>(worker)]++ == 0) everyone.arrive_and_wait();
  });

  team.run(Bag({{TaskId{0}, 3 * threads, Work{1.0}}}), runner, {});

  for (auto const& count : calls) EXPECT_GE(count, 1);
}

TEST(CpuTeam, does_nothing_when_stopped_before_it_begins) {
  CpuTeam team({.threads = 2});
  std::stop_source source;
  source.request_stop();
  std::atomic<int> calls{0};
  Runner runner([&](int, TaskId, ItemRange) { ++calls; });

  TeamReport const report = team.run(mixed_bag(), runner, source.get_token());

  EXPECT_FALSE(report.complete);
  EXPECT_EQ(report.claims, 0);
  EXPECT_EQ(calls, 0);
}

TEST(CpuTeam, stops_when_another_thread_asks) {
  CpuTeam team({.threads = 2, .policy = "self"});
  std::stop_source source;
  std::latch running(1);
  std::atomic<bool> first{true};
  Runner runner([&](int, TaskId, ItemRange) {
    if (first.exchange(false)) running.count_down();
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  });
  std::jthread const other([&] {
    running.wait();
    source.request_stop();
  });

  TeamReport const report =
      team.run(Bag({{TaskId{0}, 100'000, Work{1.0}}}), runner, source.get_token());

  EXPECT_FALSE(report.complete);
}

TEST(CpuTeam, learns_speeds_that_last_from_one_run_to_the_next) {
  CpuTeam team({.threads = 1});
  Bag const bag({{TaskId{0}, 1000, Work{1.0}}});
  std::vector<std::int64_t> chunks;
  Runner runner([&](int, TaskId, ItemRange items) {
    chunks.push_back(items.items());
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  });

  team.run(bag, runner, {});
  EXPECT_EQ(chunks.front(), 1);

  chunks.clear();
  team.run(bag, runner, {});
  EXPECT_GT(chunks.front(), 1);
}

TEST(CpuTeam, takes_one_thread_for_each_allowed_core_when_none_is_given) {
  EXPECT_GE(CpuTeam(TeamOptions{}).threads(), 1);
}

TEST(CpuTeam, works_pinned_also_with_more_threads_than_cores) {
  for (int const threads : {1, 64}) {
    CpuTeam team({.threads = threads, .pinning = Pinning::cores});
    Bag const bag = mixed_bag();
    Counters counters(bag);
    Runner runner([&](int, TaskId task, ItemRange items) { counters.count(task, items); });

    team.run(bag, runner, {});

    EXPECT_TRUE(counters.all_are(1));
  }
}

TEST(CpuTeam, refuses_options_that_make_no_sense) {
  EXPECT_THROW(CpuTeam({.threads = -1}), InputError);
  EXPECT_THROW(CpuTeam({.threads = 1'000'000}), InputError);
  EXPECT_THROW(CpuTeam({.threads = 1, .policy = "gided"}), InputError);
  EXPECT_THROW(CpuTeam({.threads = 1, .policy_options = {{"fractoin", 0.5}}}), InputError);
}

}  // namespace
}  // namespace makespan::bag

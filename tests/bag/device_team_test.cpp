// SPDX-License-Identifier: Apache-2.0
// Goal: every item runs once whatever the threads, mode and policy; modes keep their word on real
// threads; stops and exceptions end a run and leave the team fit for the next. Method: runners that
// count and look around. No test looks at the time that something took.
#include "makespan/bag/device_team.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <latch>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>

#include "makespan/bag/detail/local_dispatcher.hpp"
#include "makespan/bag/policy/policy_registry.hpp"
#include "makespan/bag/team_clock.hpp"
#include "makespan/bag/team_job.hpp"
#include "makespan/base/error.hpp"
#include "makespan/trace/trace.hpp"
#include "team_fixture.hpp"

namespace makespan::bag {
namespace {

// A count of threads and a mode; each test goes through all policies.
class EveryTeam : public testing::TestWithParam<std::tuple<int, ModeEntry>> {
 protected:
  static int threads() { return std::get<0>(GetParam()); }

  template <class Test>
  static void with_every_policy(Test&& test) {
    for (PolicyEntry const& policy : policies()) {
      SCOPED_TRACE(policy.name);
      test(one_device(threads(), std::get<1>(GetParam()).mode, policy.name));
    }
  }
};

INSTANTIATE_TEST_SUITE_P(DeviceTeam, EveryTeam,
                         testing::Combine(testing::Values(1, 2, 3, 5),
                                          testing::ValuesIn(modes().begin(), modes().end())),
                         [](auto const& test) {
                           return std::to_string(std::get<0>(test.param)) + "_" +
                                  std::string(std::get<1>(test.param).name);
                         });

TEST_P(EveryTeam, runs_every_item_once_in_each_of_five_runs) {
  with_every_policy([](TeamOptions const& options) {
    DeviceTeam team(options);
    Bag const bag = mixed_bag();
    Counters counters(bag);
    Runner runner([&](int worker, TaskId task, ItemRange items) {
      EXPECT_LT(worker, threads());
      counters.count(task, items);
    });

    for (int times = 1; times <= 5; ++times) {
      TeamReport const report = team.run(bag, runner, {});

      EXPECT_TRUE(counters.all_are(times));
      EXPECT_TRUE(report.complete);
      EXPECT_DOUBLE_EQ(report.work_done.value(), bag.work().value());
    }
  });
}

TEST_P(EveryTeam, runs_every_item_once_whatever_speeds_it_remembers) {
  with_every_policy([](TeamOptions options) {
    int const workers = DeviceTeam(options).layout().workers();
    Bag const bag = mixed_bag();
    for (double const speed : {1e-9, 1e300}) {
      options.speeds.assign(static_cast<std::size_t>(workers), Speed{speed});
      options.speeds.front() = Speed{0.0};  // the one that learns
      DeviceTeam team(options);
      Counters counters(bag);
      Runner runner([&](int, TaskId task, ItemRange items) { counters.count(task, items); });

      EXPECT_TRUE(team.run(bag, runner, {}).complete);
      EXPECT_TRUE(counters.all_are(1));
    }
  });
}

TEST_P(EveryTeam, runs_an_empty_bag_and_one_item) {
  with_every_policy([](TeamOptions const& options) {
    DeviceTeam team(options);
    std::atomic<int> calls{0};
    Runner runner([&](int, TaskId, ItemRange) { ++calls; });

    EXPECT_TRUE(team.run(Bag({}), runner, {}).complete);
    EXPECT_EQ(calls, 0);
    EXPECT_EQ(team.run(Bag({{TaskId{7}, 1, Work{1.0}}}), runner, {}).claims, 1);
    EXPECT_EQ(calls, 1);
  });
}

TEST_P(EveryTeam, throws_what_an_item_threw_and_works_on_afterwards) {
  with_every_policy([](TeamOptions const& options) {
    DeviceTeam team(options);
    Bag const bag = mixed_bag();
    Runner thrower([](int, TaskId task, ItemRange) {
      if (task == TaskId{4}) throw std::runtime_error("item of task 4");
    });
    Counters counters(bag);
    Runner counter([&](int, TaskId task, ItemRange items) { counters.count(task, items); });

    EXPECT_THROW(team.run(bag, thrower, {}), std::runtime_error);
    team.run(bag, counter, {});

    EXPECT_TRUE(counters.all_are(1));
  });
}

// What the caller's own work throws ends the run, but not before the threads have left it.
TEST_P(EveryTeam, leaves_no_thread_behind_when_the_callers_work_throws) {
  with_every_policy([](TeamOptions const& options) {
    DeviceTeam team(options);
    Bag const bag = mixed_bag();
    std::atomic<int> inside{0};
    std::atomic<bool> has_begun{false};
    std::atomic<bool> throws{false};
    // Until then there are items left, however late the caller gets its core.
    Runner runner([&](int, TaskId, ItemRange) {
      ++inside;
      has_begun = true;
      throws.wait(false);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      --inside;
    });
    WorkerBoard board(team.layout().workers());
    SystemClock const clock;
    LocalDispatcher source(bag, runner, team.layout(), options.dispatcher,
                           {.state = team.state(), .board = board, .clock = clock});

    EXPECT_THROW(team.run({.bag = bag, .runner = runner, .stop = {}}, source, board,
                          [&]() -> std::chrono::microseconds {
                            if (!has_begun) return std::chrono::microseconds(10);
                            throws = true;
                            throws.notify_all();
                            throw std::runtime_error("the caller's own work");
                          }),
                 std::runtime_error);
    EXPECT_EQ(inside, 0);

    Counters counters(bag);
    Runner counter([&](int, TaskId task, ItemRange items) { counters.count(task, items); });
    EXPECT_TRUE(team.run(bag, counter, {}).complete);
    EXPECT_TRUE(counters.all_are(1));
  });
}

TEST_P(EveryTeam, stops_in_the_middle_and_works_on_afterwards) {
  with_every_policy([](TeamOptions const& options) {
    DeviceTeam team(options);
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
    EXPECT_LE(stopped.claims, threads());
    EXPECT_TRUE(team.run(bag, stopper, {}).complete);
  });
}

TEST_P(EveryTeam, reports_times_that_fit_together) {
  with_every_policy([](TeamOptions const& options) {
    DeviceTeam team(options);
    Bag const bag = mixed_bag();
    std::vector<double> ran(static_cast<std::size_t>(threads()));  // work, by thread
    Runner runner([&](int thread, TaskId task, ItemRange items) {
      auto const& of = *std::ranges::find(bag.segments(), task, &Segment::task);
      ran[static_cast<std::size_t>(thread)] +=
          of.cost_per_item.value() * static_cast<double>(items.items());
      auto const end =
          std::chrono::steady_clock::now() + std::chrono::microseconds(5 * items.items());
      while (std::chrono::steady_clock::now() < end) {
      }
    });

    TeamReport const report = team.run(bag, runner, {});

    EXPECT_EQ(report.busy.size(), static_cast<std::size_t>(threads()));
    for (Seconds const busy : report.busy) EXPECT_LE(busy, report.makespan);
    EXPECT_GT(report.ideal, Seconds{0.0});
    // Each worker's speed times its busy time is its work, and no worker is busy for longer than
    // the makespan.
    EXPECT_LE(report.ideal, report.makespan * (1.0 + 1e-12));
    ASSERT_EQ(report.work.size(), ran.size());
    for (std::size_t thread = 0; thread < ran.size(); ++thread) {
      EXPECT_DOUBLE_EQ(report.work[thread].value(), ran[thread]) << "thread " << thread;
    }
    EXPECT_DOUBLE_EQ(report.work_done.value(), bag.work().value());
  });
}

class EveryThreadCount : public testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(DeviceTeam, EveryThreadCount, testing::Values(1, 2, 3, 5));

TEST_P(EveryThreadCount, mt_never_begins_a_task_before_the_one_before_is_finished) {
  for (PolicyEntry const& policy : policies()) {
    DeviceTeam team(one_device(GetParam(), Mode::mt, policy.name));
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
    DeviceTeam team(one_device(GetParam(), Mode::mo, policy.name));
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
  DeviceTeam team(one_device(threads, Mode::automatic, "self"));
  std::latch everyone(threads);
  std::vector<std::atomic<int>> calls(static_cast<std::size_t>(threads));
  Runner runner([&](int worker, TaskId, ItemRange) {
    // No thread goes on before all threads hold an item.
    if (calls[static_cast<std::size_t>(worker)]++ == 0) everyone.arrive_and_wait();
  });

  team.run(Bag({{TaskId{0}, 3 * threads, Work{1.0}}}), runner, {});

  for (auto const& count : calls) EXPECT_GE(count, 1);
}

TEST(DeviceTeam, does_nothing_when_stopped_before_it_begins) {
  DeviceTeam team(one_device(2));
  std::stop_source source;
  source.request_stop();
  std::atomic<int> calls{0};
  Runner runner([&](int, TaskId, ItemRange) { ++calls; });

  TeamReport const report = team.run(mixed_bag(), runner, source.get_token());

  EXPECT_FALSE(report.complete);
  EXPECT_EQ(report.claims, 0);
  EXPECT_EQ(calls, 0);
}

TEST(DeviceTeam, stops_when_another_thread_asks) {
  DeviceTeam team(one_device(2, Mode::automatic, "self"));
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

TEST(DeviceTeam, learns_speeds_that_last_from_one_run_to_the_next) {
  DeviceTeam team(one_device(1));
  Bag const bag({{TaskId{0}, 1000, Work{1.0}}});
  std::vector<std::int64_t> chunks;
  // Without a sleep: on a machine that is at other work each wake-up is late, so that an item can
  // seem to take as long as a whole chunk should.
  Runner runner([&](int, TaskId, ItemRange items) { chunks.push_back(items.items()); });

  team.run(bag, runner, {});
  EXPECT_EQ(chunks.front(), 1);

  chunks.clear();
  team.run(bag, runner, {});
  EXPECT_GT(chunks.front(), 1);
}

std::int64_t items_of_first_claim(TeamOptions const& options) {
  DeviceTeam team(options);
  trace::Trace trace(1);
  Runner runner(
      [](int, TaskId, ItemRange) { std::this_thread::sleep_for(std::chrono::microseconds(50)); });
  team.run(Bag({{TaskId{0}, 1000, Work{1.0}}}), runner, {}, &trace);
  return std::ranges::find(trace.spans(0), trace::SpanKind::claim, &trace::Span::kind)->items;
}

TEST(DeviceTeam, begins_with_speeds_that_are_remembered) {
  TeamOptions options = one_device(1);
  EXPECT_EQ(items_of_first_claim(options), 1);

  options.speeds = {Speed{2e4}};

  EXPECT_GT(items_of_first_claim(options), 1);
}

// A remembered speed that makes the first chunk far too large must not keep items from workers that
// could help.
TEST(DeviceTeam, runs_single_items_until_it_has_seen_a_speed) {
  TeamOptions options = one_device(1, Mode::automatic, "static");
  options.speeds = {Speed{1e12}};
  DeviceTeam team(options);
  std::vector<std::int64_t> pieces;
  Runner runner([&](int, TaskId, ItemRange items) {
    pieces.push_back(items.items());
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  });

  team.run(Bag({{TaskId{0}, 1000, Work{1.0}}}), runner, {});

  EXPECT_EQ(pieces.front(), 1);
  // Half a millisecond's worth of what it has seen: at most ten, and fewer where sleep is long.
  EXPECT_LE(std::ranges::max(pieces), 10);
}

TEST(DeviceTeam, of_a_boss_has_a_worker_for_each_thread) {
  TeamOptions options = one_device(3, Mode::mt);
  options.dispatcher = Dispatcher::boss;
  options.speeds.assign(3, Speed{1e6});
  Bag const bag = mixed_bag();
  Counters counters(bag);
  Runner runner([&](int, TaskId task, ItemRange items) { counters.count(task, items); });
  DeviceTeam team(options);

  TeamReport const report = team.run(bag, runner, {});

  EXPECT_EQ(team.layout().workers(), 3);
  EXPECT_EQ(report.claims, std::ssize(bag.segments()));
  EXPECT_TRUE(counters.all_are(1));
}

TEST(DeviceTeam, refuses_invalid_options) {
  EXPECT_THROW(DeviceTeam(one_device(-1)), InputError);
  EXPECT_THROW(DeviceTeam(one_device(1'000'000)), InputError);
  EXPECT_THROW(DeviceTeam(one_device(1, Mode::automatic, "gided")), InputError);
  EXPECT_THROW(DeviceTeam({.devices = {}}), InputError);
  EXPECT_THROW(DeviceTeam({.devices = {{.cores = {-1}}}}), InputError);
  EXPECT_THROW(DeviceTeam({.policy_options = {{"fractoin", 0.5}}}), InputError);
  EXPECT_THROW(DeviceTeam({.injections = {{.device = 1}}}), InputError);
}

TEST(DeviceTeam, refuses_speeds_that_it_cannot_remember) {
  TeamOptions options = one_device(2);
  options.speeds = {Speed{1.0}};
  EXPECT_THROW(DeviceTeam{options}, InputError);
  for (double const speed : {-1.0, std::nan(""), HUGE_VAL}) {
    options.speeds = {Speed{1.0}, Speed{speed}};
    EXPECT_THROW(DeviceTeam{options}, InputError) << speed;
  }
  options.speeds = {Speed{1.0}, Speed{}};
  EXPECT_NO_THROW(DeviceTeam{options});
}

}  // namespace
}  // namespace makespan::bag

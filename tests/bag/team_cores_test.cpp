// SPDX-License-Identifier: Apache-2.0
// Goal: a team has as many threads as there are cores, and each works on the core that the layout
// says. Method: a runner that notes the cores that its thread may use.
#include <gtest/gtest.h>

#include <iterator>
#include <thread>
#include <vector>

#include "makespan/bag/device_team.hpp"
#include "makespan/machine/affinity.hpp"
#include "team_fixture.hpp"

namespace makespan::bag {
namespace {

TEST(DeviceTeam, takes_one_thread_for_each_allowed_core_when_none_is_given) {
  EXPECT_EQ(DeviceTeam(TeamOptions{}).threads(), std::ssize(machine::allowed_cores()));
}

TEST(DeviceTeam, works_tied_to_cores_also_with_more_threads_than_cores) {
  auto outcome = machine::PinOutcome::refused;
  std::jthread([&] {
    outcome = machine::pin_this_thread(machine::allowed_cores().front());
  }).join();
  for (int const threads : {1, 64}) {
    DeviceTeam team({.devices = {{.threads = threads, .cores = machine::allowed_cores()}}});
    Bag const bag = mixed_bag();
    Counters counters(bag);
    std::vector<std::vector<int>> cores(static_cast<std::size_t>(threads));  // of those that ran
    Runner runner([&](int thread, TaskId task, ItemRange items) {
      cores[static_cast<std::size_t>(thread)] = machine::allowed_cores();
      counters.count(task, items);
    });

    team.run(bag, runner, {});

    EXPECT_TRUE(counters.all_are(1));
    if (outcome != machine::PinOutcome::pinned) continue;  // this system does not pin threads
    for (int thread = 0; thread < threads; ++thread) {
      auto const& seen = cores[static_cast<std::size_t>(thread)];
      if (seen.empty()) continue;
      auto const core = team.layout().role(thread).core;
      ASSERT_TRUE(core);
      EXPECT_EQ(seen, std::vector{*core}) << "thread " << thread;
    }
  }
}

}  // namespace
}  // namespace makespan::bag

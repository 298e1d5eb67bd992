// SPDX-License-Identifier: Apache-2.0
// Goal: every policy of the registry, in every mode, hands out every item of a bag once and all the
// work, the same way each time. Method: random bags and speeds from seeds; workers come back in the
// order in which they finish, in virtual time.
#include <gtest/gtest.h>

#include <ostream>
#include <random>
#include <string>
#include <tuple>

#include "makespan/bag/policy/policy_registry.hpp"
#include "makespan/bag/protocol/mode.hpp"
#include "virtual_time.hpp"

namespace makespan::bag {

// How a failed test names its parameters.
void PrintTo(PolicyEntry const& entry, std::ostream* out) {
  *out << entry.name;
}
void PrintTo(ModeEntry const& entry, std::ostream* out) {
  *out << entry.name;
}

namespace {

struct Scene {
  Bag bag;
  std::vector<VirtualWorker> workers;
};

Scene random_scene(std::uint64_t seed) {
  std::mt19937_64 random{seed};
  std::vector<Segment> segments;
  auto const tasks = static_cast<std::int64_t>(random() % 60);
  for (std::int64_t task = 0; task < tasks; ++task) {
    segments.push_back({TaskId{task}, static_cast<std::int64_t>(random() % 50),
                        Work{1.0 + static_cast<double>(random() % 99)}});
  }
  std::vector<VirtualWorker> workers(1 + random() % 9);
  for (VirtualWorker& worker : workers)
    worker.speed = Speed{1.0 + static_cast<double>(random() % 40)};
  return {Bag(std::move(segments)), std::move(workers)};
}

class EveryPolicyAndMode : public testing::TestWithParam<std::tuple<PolicyEntry, ModeEntry>> {};

INSTANTIATE_TEST_SUITE_P(Bag, EveryPolicyAndMode,
                         testing::Combine(testing::ValuesIn(policies().begin(), policies().end()),
                                          testing::ValuesIn(modes().begin(), modes().end())),
                         [](auto const& test) {
                           return std::string(std::get<0>(test.param).name) + "_" +
                                  std::string(std::get<1>(test.param).name);
                         });

TEST_P(EveryPolicyAndMode, hands_out_each_item_once_and_all_the_work) {
  auto const& [entry, mode] = GetParam();
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    auto const [bag, workers] = random_scene(seed);
    auto const policy = entry.make({});

    VirtualRun const run = run_in_virtual_time(bag, mode.mode, *policy, workers, Seconds{1e-6});

    std::vector<int> times(static_cast<std::size_t>(bag.items()));
    Work work;
    for (ItemRange const& claim : run.claims) {
      work += bag.work_of(claim);
      for (std::int64_t item = claim.begin; item < claim.end; ++item)
        ++times[static_cast<std::size_t>(item)];
    }
    EXPECT_EQ(times, std::vector<int>(times.size(), 1));
    EXPECT_DOUBLE_EQ(work.value(), bag.work().value());
    EXPECT_TRUE(run.complete);
  }
}

TEST_P(EveryPolicyAndMode, does_the_same_again) {
  auto const& [entry, mode] = GetParam();
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    auto const [bag, workers] = random_scene(seed);
    auto const policy = entry.make({});

    VirtualRun const first = run_in_virtual_time(bag, mode.mode, *policy, workers, Seconds{1e-6});
    VirtualRun const second = run_in_virtual_time(bag, mode.mode, *policy, workers, Seconds{1e-6});

    EXPECT_EQ(first.claims, second.claims);
    EXPECT_EQ(first.makespan, second.makespan);
  }
}

TEST_P(EveryPolicyAndMode, is_never_faster_than_all_workers_together) {
  auto const& [entry, mode] = GetParam();
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    auto const [bag, workers] = random_scene(seed);
    auto const policy = entry.make({});

    VirtualRun const run = run_in_virtual_time(bag, mode.mode, *policy, workers, Seconds{1e-6});

    // Equal but for rounding when a single worker does it all.
    EXPECT_GE(run.makespan, run.bound * (1.0 - 1e-12));
  }
}

}  // namespace
}  // namespace makespan::bag

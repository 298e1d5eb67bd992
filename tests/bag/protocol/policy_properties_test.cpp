// SPDX-License-Identifier: Apache-2.0
// Goal: every policy of the registry, in every mode, hands out every item of a bag once and all the
// work, the same way each time, and also if workers fail. Method: random bags and speeds from
// seeds; workers come back in the order in which they finish, in virtual time.
#include <gtest/gtest.h>

#include <ostream>
#include <random>
#include <string>
#include <tuple>

#include "makespan/bag/policy/policy_registry.hpp"
#include "makespan/bag/protocol/mode.hpp"
#include "test_size.hpp"
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

// Below so many tasks, and items of each.
struct SceneSize {
  std::uint64_t tasks;
  std::uint64_t items;
};
constexpr SceneSize large{60, 50};
constexpr std::uint64_t large_scenes = is_small_build ? 6 : 20;
constexpr SceneSize small{7, 10};

Scene random_scene(std::uint64_t seed, SceneSize size) {
  std::mt19937_64 random{seed};
  std::vector<Segment> segments;
  auto const tasks = static_cast<std::int64_t>(random() % size.tasks);
  for (std::int64_t task = 0; task < tasks; ++task) {
    segments.push_back({TaskId{task}, static_cast<std::int64_t>(random() % size.items),
                        Work{1.0 + static_cast<double>(random() % 99)}});
  }
  std::vector<VirtualWorker> workers(1 + random() % 9);
  for (VirtualWorker& worker : workers)
    worker.speed = Speed{1.0 + static_cast<double>(random() % 40)};
  return {Bag(std::move(segments)), std::move(workers)};
}

void expect_each_item_once(Bag const& bag, VirtualRun const& run) {
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

// Checks each answer of a policy, and that what it hears of is what it has handed out.
class Checked final : public ChunkPolicy {
 public:
  explicit Checked(ChunkPolicy& policy) : policy_(policy) {}

  ChunkSize next_chunk(ChunkRequest const& request) override {
    ChunkSize const size = policy_.next_chunk(request);
    if (auto const* const items = size.items()) {
      EXPECT_GE(*items, 1);
      EXPECT_LE(*items, request.items_left);
    } else {
      EXPECT_GT(*size.work(), Work{0.0});
      EXPECT_LE(*size.work(), request.work_left);
    }
    return size;
  }

  void chunk_finished(ChunkReport const& report) override {
    items_finished += report.items;
    policy_.chunk_finished(report);
  }

  std::int64_t items_finished{};

 private:
  ChunkPolicy& policy_;
};

class EveryPolicy : public testing::TestWithParam<PolicyEntry> {};

INSTANTIATE_TEST_SUITE_P(Bag, EveryPolicy, testing::ValuesIn(policies().begin(), policies().end()),
                         [](auto const& test) { return std::string(test.param.name); });

// One policy object for all of them: what it keeps must not harm the next loop.
TEST_P(EveryPolicy, hands_out_each_item_of_small_bags_once) {
  auto const policy = GetParam().make({});
  auto const bags = static_cast<std::uint64_t>(drawn(10'240));
  for (std::uint64_t seed = 0; seed < bags && !HasFailure(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    auto const [bag, workers] = random_scene(seed, small);
    Mode const mode = modes()[seed % modes().size()].mode;
    Checked checked{*policy};

    VirtualRun const run = run_in_virtual_time(bag, mode, checked, workers, Seconds{1e-3},
                                               {seed % 2 == 1, Seconds{0.1}});

    expect_each_item_once(bag, run);
    EXPECT_EQ(checked.items_finished, bag.items());
  }
}

TEST_P(EveryPolicy, goes_on_when_workers_die) {
  auto const policy = GetParam().make({});
  auto const bags = static_cast<std::uint64_t>(drawn(1024));
  for (std::uint64_t seed = 0; seed < bags && !HasFailure(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    auto [bag, workers] = random_scene(seed, small);
    Seconds const alone = bag.work() / workers[0].speed;
    for (std::size_t worker = 1; worker < workers.size(); ++worker)
      workers[worker].dies_at = alone * (0.05 * static_cast<double>(worker));
    Mode const mode = modes()[seed % modes().size()].mode;
    Checked checked{*policy};

    VirtualRun const run = run_in_virtual_time(bag, mode, checked, workers, Seconds{1e-3},
                                               {seed % 2 == 1, Seconds{0.1}});

    EXPECT_TRUE(run.complete);
    EXPECT_EQ(checked.items_finished, bag.items());
  }
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
  for (std::uint64_t seed = 0; seed < large_scenes; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    auto const [bag, workers] = random_scene(seed, large);
    auto const policy = entry.make({});

    VirtualRun const run = run_in_virtual_time(bag, mode.mode, *policy, workers, Seconds{1e-6});

    expect_each_item_once(bag, run);
  }
}

TEST_P(EveryPolicyAndMode, does_the_same_again) {
  auto const& [entry, mode] = GetParam();
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    auto const [bag, workers] = random_scene(seed, large);
    auto const one = entry.make({});
    auto const other = entry.make({});

    VirtualRun const first = run_in_virtual_time(bag, mode.mode, *one, workers, Seconds{1e-6});
    VirtualRun const second = run_in_virtual_time(bag, mode.mode, *other, workers, Seconds{1e-6});

    EXPECT_EQ(first.claims, second.claims);
    EXPECT_EQ(first.makespan, second.makespan);
  }
}

TEST_P(EveryPolicyAndMode, is_never_faster_than_all_workers_together) {
  auto const& [entry, mode] = GetParam();
  for (std::uint64_t seed = 0; seed < large_scenes; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    auto const [bag, workers] = random_scene(seed, large);
    auto const policy = entry.make({});

    VirtualRun const run = run_in_virtual_time(bag, mode.mode, *policy, workers, Seconds{1e-6});

    // Equal but for rounding when a single worker does it all.
    EXPECT_GE(run.makespan, run.bound * (1.0 - 1e-12));
  }
}

}  // namespace
}  // namespace makespan::bag

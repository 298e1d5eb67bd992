// SPDX-License-Identifier: Apache-2.0
// Goal: in whatever order things happen, no item is lost, no worker waits for nothing, and modes
// keep their word. Method: a seeded driver plays workers that ask, finish in parts, steal, fail,
// come back and finish late; after every event the promises are checked, and every story must come
// to its end. Every policy of the registry, every mode.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "makespan/bag/policy/policy_registry.hpp"
#include "makespan/bag/protocol/claim_machine.hpp"

namespace makespan::bag {
namespace {

class Driver {
 public:
  Driver(std::uint64_t seed, Mode mode, PolicyEntry const& policy)
      : random_(seed),
        mode_(mode),
        bag_(random_segments()),
        policy_(policy.make({})),
        workers_(1 + below(5)),
        speeds_(workers_),
        machine_(bag_, mode, *policy_, speeds_),
        claims_(static_cast<std::size_t>(bag_.items())),
        finishes_(static_cast<std::size_t>(bag_.items())),
        waiting_(static_cast<std::size_t>(workers_)) {}

  void play() {
    // Each event finishes an item with a fair chance, so a story that is longer than this is stuck.
    std::int64_t const events_max = 1000 + 100 * bag_.items();
    std::int64_t events = 0;
    while (!machine_.complete() && ++events < events_max && !testing::Test::HasFailure())
      play_one(below(workers_));
    EXPECT_TRUE(machine_.complete());
    EXPECT_EQ(std::ranges::count(finishes_, 0), 0);
    EXPECT_EQ(machine_.step(Ask{idle_worker()}).order, Order::leave);
  }

  // What was handed out and never given back was handed out once.
  void expect_single_claims_without_failures() const {
    if (failures_ > 0) return;
    EXPECT_EQ(std::ranges::count(claims_, 1), bag_.items());
  }

 private:
  int below(int limit) { return static_cast<int>(random_() % static_cast<std::uint64_t>(limit)); }

  std::vector<Segment> random_segments() {
    std::vector<Segment> segments;
    for (int task = 0, tasks = below(12); task < tasks; ++task) {
      segments.push_back({TaskId{task}, below(40), Work{1.0 + below(100)}});
    }
    return segments;
  }

  int idle_worker() {
    for (int worker = 0; worker < workers_; ++worker) {
      if (machine_.held(worker).empty()) return worker;
    }
    machine_.step(Fail{0});
    return 0;
  }

  void play_one(int worker) {
    if (machine_.held(worker).empty()) {
      int const chance = below(10);
      if (chance == 0 && !given_up_.empty()) return finish_late(worker);
      if (!waiting_[static_cast<std::size_t>(worker)]) ask(worker);
      return;
    }
    int const chance = below(10);
    if (chance == 0) return fail(worker);
    // In mode mo a range that was finished in part would not be whole tasks when it is handed out
    // again.
    if (chance < 4 && mode_ != Mode::mo) return finish_part(worker);
    finish(worker, machine_.held(worker));
  }

  void ask(int worker) {
    ClaimActions const actions = machine_.step(Ask{worker, Seconds{1e-3}});
    if (actions.order == Order::wait) {
      waiting_[static_cast<std::size_t>(worker)] = true;
      EXPECT_TRUE(someone_else_holds(worker)) << "waits for nothing";
      if (mode_ != Mode::mo && below(2) == 0) steal(worker);
      return;
    }
    ASSERT_EQ(actions.order, Order::run);
    expect_sound(actions.items);
    for (std::int64_t item = actions.items.begin; item < actions.items.end; ++item) {
      ++claims_[static_cast<std::size_t>(item)];
    }
  }

  void steal(int thief) {
    int const victim = below(workers_);
    ItemRange const held = machine_.held(victim);
    if (held.empty()) return;
    ItemRange const tail{held.end - 1 - below(static_cast<int>(held.items())), held.end};
    machine_.step(Steal{thief, victim, tail});
    EXPECT_EQ(machine_.held(thief), tail);
    EXPECT_EQ(machine_.held(victim), (ItemRange{held.begin, tail.begin}));
    waiting_[static_cast<std::size_t>(thief)] = false;
  }

  void expect_sound(ItemRange items) const {
    ASSERT_LT(items.begin, items.end);
    ASSERT_GE(items.begin, 0);
    ASSERT_LE(items.end, bag_.items());
    ItemRange const first = bag_.segment_items(bag_.segment_of(items.begin));
    ItemRange const last = bag_.segment_items(bag_.segment_of(items.end - 1));
    if (mode_ == Mode::mo) {
      EXPECT_EQ(items.begin, first.begin);
      EXPECT_EQ(items.end, last.end);
    }
  }

  bool someone_else_holds(int worker) const {
    for (int other = 0; other < workers_; ++other) {
      if (other != worker && !machine_.held(other).empty()) return true;
    }
    return false;
  }

  void finish(int worker, ItemRange items) {
    for (std::int64_t item = items.begin; item < items.end; ++item)
      ++finishes_[static_cast<std::size_t>(item)];
    follow(machine_.step(Finish{worker, items, Seconds{0.01 * (1 + below(100))}}));
    EXPECT_EQ(machine_.items_finished(), bag_.items() - std::ranges::count(finishes_, 0));
  }

  void finish_part(int worker) {
    ItemRange const held = machine_.held(worker);
    finish(worker, {held.begin, held.begin + 1 + below(static_cast<int>(held.items()))});
  }

  void finish_late(int worker) {
    ItemRange const items = given_up_.back();
    given_up_.pop_back();
    finish(worker, items);
  }

  void fail(int worker) {
    ++failures_;
    given_up_.push_back(machine_.held(worker));
    follow(machine_.step(Fail{worker}));
  }

  void follow(ClaimActions actions) {
    if (actions.wake) waiting_.assign(waiting_.size(), false);
  }

  std::mt19937_64 random_;
  Mode mode_;
  Bag bag_;
  std::unique_ptr<ChunkPolicy> policy_;
  int workers_;
  SpeedTable speeds_;
  ClaimMachine machine_;
  std::vector<int> claims_;
  std::vector<int> finishes_;
  std::vector<bool> waiting_;
  std::vector<ItemRange> given_up_;
  std::int64_t failures_{};
};

struct StoryKind {
  Mode mode;
  std::string_view mode_name;
  PolicyEntry policy;
};

// How a failed test names its parameters.
std::string name_of(StoryKind const& kind) {
  return std::string(kind.mode_name) + "_" + std::string(kind.policy.name);
}

void PrintTo(StoryKind const& kind, std::ostream* out) {
  *out << name_of(kind);
}

std::vector<StoryKind> all_kinds() {
  std::vector<StoryKind> kinds;
  for (ModeEntry const& mode : modes()) {
    for (PolicyEntry const& policy : policies()) kinds.push_back({mode.mode, mode.name, policy});
  }
  return kinds;
}

class RandomStory : public testing::TestWithParam<StoryKind> {};

INSTANTIATE_TEST_SUITE_P(ClaimMachine, RandomStory, testing::ValuesIn(all_kinds()),
                         [](auto const& test) { return name_of(test.param); });

TEST_P(RandomStory, ends_with_every_item_finished_for_60_seeds) {
  for (std::uint64_t seed = 0; seed < 60 && !HasFailure(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Driver driver(seed, GetParam().mode, GetParam().policy);
    driver.play();
    driver.expect_single_claims_without_failures();
  }
}

}  // namespace
}  // namespace makespan::bag

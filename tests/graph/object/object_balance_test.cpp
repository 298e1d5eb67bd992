// SPDX-License-Identifier: Apache-2.0
// Goal: objects that compute end up spread over the places when and only when that is asked for,
// and results do not depend on it. Method: a few that burn processor time, all at one place, and
// where they are from phase to phase; no clock on the wall is looked at.
#include <gtest/gtest.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <vector>

#include "makespan/graph/object/object_world.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::graph {
namespace {

constexpr int count = 24;
constexpr int heavy = 6;
constexpr std::int64_t phases_max = 1500;

enum class Until : std::uint8_t { end, spread };

double cpu_s() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Burner {
  std::int64_t sum{0};

  void burn(ObjectPlace& /*here*/, double seconds, std::int64_t what) {
    double const end = cpu_s() + seconds;
    while (cpu_s() < end) continue;
    sum += what;
  }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(sum);
  }
};

class ObjectBalanceTest : public testing::Test {
 protected:
  ObjectBalanceTest() : runtime_({.threads = 2, .heap_bytes = 1 << 20}) {}
  ~ObjectBalanceTest() override {
    world_.reset();
    runtime_.finish_all();
  }

  void run(TriggerOptions const& trigger, std::string const& balancer, std::int64_t phases,
           Until until = Until::end) {
    WorldOptions options{.threads = 2};
    options.balance.trigger = trigger;
    options.balance.balancer = balancer;
    world_.emplace(runtime_, options);
    free_ = world_->add<Burner>("free", count);
    fixed_ = world_->add<Burner>("fixed", count, Mobility::fixed);
    heavy_here_ = std::vector<std::atomic<int>>(static_cast<std::size_t>(2 * phases));
    free_here_ = std::vector<std::atomic<int>>(static_cast<std::size_t>(phases));
    world_->run_all({.create = [this](ObjectPlace& here) { create(here); },
                     .begin = [this](ObjectPlace& here, std::int64_t phase) { begin(here, phase); },
                     .after =
                         [this, until](PhaseReport const& report) {
                           reports_.push_back(report);
                           bool const is_enough = until == Until::spread && is_spread(report.phase);
                           return is_enough ? Next::stop : Next::go_on;
                         },
                     .end = [this](ObjectPlace& here) { end(here); },
                     .phases = phases});
  }

  void create(ObjectPlace& here) {
    for (int index = 0; index < count; ++index) {
      // All that compute, and as many as a block has.
      if (here.place() == 0 && index < heavy) here.create(free_, index, {});
      if (index >= heavy && here.is_in_block(free_, index)) here.create(free_, index, {});
      if (here.is_in_block(fixed_, index)) here.create(fixed_, index, {});
    }
  }
  void begin(ObjectPlace& here, std::int64_t phase) {
    std::atomic<int>& mine = heavy_here_[static_cast<std::size_t>(2 * phase + here.place() % 2)];
    for (int index = 0; index < heavy; ++index) mine += here.find(free_, index) != nullptr;
    here.for_each(free_,
                  [&](int, Burner const&) { ++free_here_[static_cast<std::size_t>(phase)]; });
    if (here.place() != 0) return;
    for (int index = 0; index < count; ++index) {
      here.send<&Burner::burn>(free_, index, index < heavy ? 1e-3 : 20e-6, phase + 1);
      here.send<&Burner::burn>(fixed_, index, 0.0, phase + 1);
    }
  }
  void end(ObjectPlace& here) {
    here.for_each(free_, [&](int, Burner const& each) { sum_ += each.sum; });
    here.for_each(fixed_, [&](int index, Burner const& each) {
      sum_ += each.sum;
      EXPECT_TRUE(here.is_in_block(fixed_, index)) << "it was moved";
    });
  }

  // Collective: the most heavy objects that a place had in a phase.
  [[nodiscard]] int most_heavy(std::int64_t phase) {
    int const mine = std::max(heavy_here_[static_cast<std::size_t>(2 * phase)].load(),
                              heavy_here_[static_cast<std::size_t>(2 * phase + 1)].load());
    return runtime_.team().all_reduce_all(pgas::ReduceOp::max, mine);
  }
  // Collective: a phase begins at a place when all that is to come has come.
  void expect_all_there(std::int64_t phases) {
    for (std::int64_t phase = 0; phase < phases; ++phase) {
      int const mine = free_here_[static_cast<std::size_t>(phase)].load();
      EXPECT_EQ(runtime_.team().all_reduce_all(pgas::ReduceOp::sum, mine), count) << phase;
    }
  }
  // Collective: of a run until objects were spread.
  void expect_spread() {
    std::int64_t const phases = runtime_.team().broadcast_all(std::ssize(reports_), 0);
    ASSERT_LT(phases, phases_max) << "what computes is at one place still";
    EXPECT_EQ(most_heavy(0), heavy);
    EXPECT_LT(most_heavy(phases - 1), heavy) << "it is all at another place";
    EXPECT_EQ(sum(), expected_sum(phases));
    if (!is_first()) return;
    EXPECT_GT(reports_.back().moved, 0);
    EXPECT_GT(reports_.back().moved_bytes, 0.0);
    EXPECT_GT(reports_.back().decision_s, 0.0);
  }
  // Objects that cannot be in two halves, and one that chance puts elsewhere.
  [[nodiscard]] int spread() const { return (heavy + world_->places() - 1) / world_->places() + 1; }
  // As the first image sees it. One of its places may be given none while another program has the
  // core, both where there are more places than objects.
  [[nodiscard]] bool is_spread(std::int64_t phase) const {
    int const at_0 = heavy_here_[static_cast<std::size_t>(2 * phase)];
    int const at_1 = heavy_here_[static_cast<std::size_t>(2 * phase + 1)];
    int const least = world_->places() <= heavy ? 1 : 0;
    return at_0 + at_1 >= least && std::max(at_0, at_1) <= spread();
  }
  [[nodiscard]] std::int64_t sum() {
    return runtime_.team().all_reduce_all(pgas::ReduceOp::sum, sum_.load());
  }
  [[nodiscard]] bool is_first() const { return runtime_.image().value() == 0; }
  static std::int64_t expected_sum(std::int64_t phases) {
    return 2 * count * phases * (phases + 1) / 2;
  }

  pgas::Runtime runtime_;
  std::optional<ObjectWorld> world_{};
  Collection<Burner> free_{};
  Collection<Burner> fixed_{};
  std::vector<PhaseReport> reports_{};          // at image 0
  std::vector<std::atomic<int>> heavy_here_{};  // by phase and thread
  std::vector<std::atomic<int>> free_here_{};   // by phase, when it began
  std::atomic<std::int64_t> sum_{0};
};

// The machine is shared: where phases vary a move has to wait until it can be paid for, and a place
// whose core another program uses gets less at first.
TEST_F(ObjectBalanceTest, Automatic_spreads_what_computes) {
  run({.when = BalanceWhen::automatic}, "makespan", phases_max, Until::spread);

  expect_spread();
}

// No place hears of all objects (docs/decisions/0113). At phases that are given: a decision is some
// ten rounds of messages, and on a machine that others use each round can take as long as a phase,
// so that one that looks by itself may find all of this test too short for it. That it does look is
// shown in virtual time (virtual_kinds_test.cpp).
TEST_F(ObjectBalanceTest, Places_that_decide_together_spread_what_computes) {
  for (std::string const balancer : {"gossip", "hierarchical"}) {
    SCOPED_TRACE(balancer);
    reports_.clear();
    sum_ = 0;
    run({.when = BalanceWhen::periodic, .every = 10}, balancer, phases_max, Until::spread);

    ASSERT_NO_FATAL_FAILURE(expect_spread());
    // What places told each other is no message of the program. An object that moved comes, and
    // its home and place 0, which sends to it, may be told of it.
    for (PhaseReport const& report : reports_) {
      EXPECT_LE(report.messages, 2 * count + 3 * report.moved) << report.phase;
    }
  }
}

TEST_F(ObjectBalanceTest, Periodic_moves_at_its_phases_and_only_then) {
  constexpr std::int64_t phases = 14;
  run({.when = BalanceWhen::periodic, .every = 4}, "makespan", phases);

  EXPECT_EQ(most_heavy(3), heavy) << "nothing was moved yet";
  // A place whose core another program used just then is given less, until the next time.
  EXPECT_LT(std::min({most_heavy(4), most_heavy(8), most_heavy(12)}), heavy);
  EXPECT_EQ(sum(), expected_sum(phases));
  expect_all_there(phases);
  if (!is_first()) return;
  ASSERT_EQ(std::ssize(reports_), phases);
  EXPECT_GT(reports_[4].moved + reports_[8].moved + reports_[12].moved, 0);
  for (PhaseReport const& report : reports_) {
    bool const is_after_look = report.phase > 0 && report.phase % 4 == 0;
    EXPECT_EQ(report.decision_s > 0.0, is_after_look) << report.phase;
    EXPECT_TRUE(is_after_look || report.moved == 0) << report.phase;
  }
}

TEST_F(ObjectBalanceTest, Fixed_collections_stay_whatever_the_balancer_likes) {
  for (std::string const balancer : {"random", "rotate"}) {
    SCOPED_TRACE(balancer);
    sum_ = 0;
    run({.when = BalanceWhen::periodic, .every = 1}, balancer, 5);

    EXPECT_EQ(sum(), expected_sum(5));
    expect_all_there(5);
  }
}

TEST_F(ObjectBalanceTest, Never_moves_nothing) {
  run({.when = BalanceWhen::never}, "makespan", 12);

  for (std::int64_t phase = 0; phase < 12; ++phase) EXPECT_EQ(most_heavy(phase), heavy);
  EXPECT_EQ(sum(), expected_sum(12));
  for (PhaseReport const& report : reports_) {
    EXPECT_EQ(report.moved, 0);
    EXPECT_EQ(report.decision_s, 0.0);
  }
}

TEST_F(ObjectBalanceTest, Reports_count_messages_and_time_of_each_phase) {
  run({.when = BalanceWhen::never}, "makespan", 6);

  if (!is_first()) return;
  for (PhaseReport const& report : reports_) {
    EXPECT_GE(report.messages, 2 * count);
    EXPECT_LT(report.messages, 4 * count) << "more than there were: of phases before?";
    // All that compute are at place 0, for at least a millisecond each.
    EXPECT_GE(report.busy_s_longest, heavy * 1e-3);
    EXPECT_GE(report.time_s, heavy * 1e-3);
    EXPECT_LE(report.busy_s_mean, report.busy_s_longest * (1.0 + 1e-9));
  }
}

}  // namespace
}  // namespace makespan::graph

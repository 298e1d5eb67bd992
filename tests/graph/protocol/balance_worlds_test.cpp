// SPDX-License-Identifier: Apache-2.0
// Goal: balancing by balance_trigger.hpp never costs much, whatever the world does, and helps where
// it can. Method: little worlds of places and objects, some of them malicious, each run with the
// trigger and without; costs and loads are drawn from a seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "makespan/base/random_draws.hpp"
#include "makespan/graph/protocol/balance_trigger.hpp"

namespace makespan::graph {
namespace {

enum class Loads : std::uint8_t { steady, redrawn, walking, growing, hopping };

struct Plan {
  Loads loads{Loads::steady};
  std::int64_t phases{400};
  std::int64_t phases_told{0};
  double imbalance{1.0};       // how much longer the first place's objects take
  double look_s{1e-3};         // a phase takes about 1 s
  double migrate_s{1e-3};      // of all objects
  double cost_spread{1.0};     // costs are up to so many times that
  double told_over_cost{1.0};  // what the coordinator expects of migrating, over what it costs
  double slower_by{0.0};       // each mapping but the first: what its phases take more
  std::int64_t effect{0};      // after a way back, for how many phases they take that, too
  double gain_part{1.0};       // of a new mapping's gain, what comes true
  double giant{0.0};           // if above 0: what the first object takes
  double noise{0.0};           // of each phase
};

struct Outcome {
  double total_s{0.0};
  double without_s{0.0};   // the first mapping throughout
  double ideal_s{0.0};     // spread evenly throughout
  double in_vain_s{0.0};   // looks without a move that was kept, moves taken back
  double act_most_s{0.0};  // the longest look, migration, or prolongation of a phase
  int looks{0};
  int moves{0};
  int ways_back{0};

  [[nodiscard]] double over() const { return total_s / without_s - 1.0; }
};

using Mapping = std::vector<std::size_t>;

class World {
 public:
  World(Plan const& plan, std::uint64_t seed) : plan_{plan}, draws_{seed} {
    for (std::size_t object = 0; object < objects; ++object) {
      first_.push_back(object * places / objects);
      loads_.push_back((0.5 + draws_.next()) * static_cast<double>(places) / objects *
                       (first_.back() == 0 ? 1.0 + plan.imbalance : 1.0));
    }
    if (plan.giant > 0.0) loads_.front() = plan.giant;
    mapping_ = first_;
  }

  Outcome run() {
    BalanceTrigger trigger({.phases = plan_.phases_told});
    for (std::int64_t phase = 0; phase < plan_.phases; ++phase) {
      change_loads(phase);
      PhaseFacts const facts = run_phase();
      BalanceAdvice const advice = trigger.end_phase(facts);
      if (advice == BalanceAdvice::look) look(trigger);
      if (advice == BalanceAdvice::go_back) go_back(trigger);
    }
    return outcome_;
  }

 private:
  static constexpr std::size_t places = 4;
  static constexpr std::size_t objects = 64;

  void change_loads(std::int64_t phase) {
    for (std::size_t object = 0; object < objects; ++object) {
      double& load = loads_[object];
      if (plan_.loads == Loads::redrawn) load = 2.0 * draws_.next() * places / objects;
      if (plan_.loads == Loads::walking) load *= std::exp(0.1 * (draws_.next() - 0.5));
      if (plan_.loads == Loads::growing) load *= 1.01;
    }
    if (plan_.loads == Loads::hopping && phase % 20 == 0) {
      auto const heavy = static_cast<std::size_t>(phase / 20) % places;
      for (std::size_t object = 0; object < objects; ++object) {
        loads_[object] = (first_[object] == heavy ? 1.0 + plan_.imbalance : 1.0) * places / objects;
      }
    }
  }

  [[nodiscard]] std::vector<double> times(Mapping const& mapping) const {
    std::vector<double> sums(places, 0.0);
    for (std::size_t object = 0; object < objects; ++object) {
      sums[mapping[object]] += loads_[object];
    }
    return sums;
  }
  [[nodiscard]] double longest(Mapping const& mapping) const {
    return std::ranges::max(times(mapping));
  }

  PhaseFacts run_phase() {
    double const noise = 1.0 + plan_.noise * draws_.next();
    double const without_s = longest(first_) * noise;
    double const hoped_s = longest(mapping_) * noise;
    double phase_s = without_s + plan_.gain_part * (hoped_s - without_s);
    if (mapping_ != first_ || effect_left_ > 0) phase_s *= 1.0 + plan_.slower_by;
    effect_left_ = std::max<std::int64_t>(0, effect_left_ - 1);
    double const mean_s = std::accumulate(loads_.begin(), loads_.end(), 0.0) / places * noise;
    outcome_.total_s += phase_s;
    outcome_.without_s += without_s;
    outcome_.ideal_s += mean_s;
    outcome_.act_most_s = std::max(outcome_.act_most_s, phase_s - without_s);
    PhaseFacts facts{.phase_s = phase_s, .longest_s = std::max(phase_s, mean_s), .mean_s = mean_s};
    for (double const each : times(mapping_)) facts.over_mean_s.push_back(noise * each - mean_s);
    return facts;
  }

  double pay(double cost_s) {
    double const paid_s = cost_s * std::pow(plan_.cost_spread, draws_.next());
    outcome_.total_s += paid_s;
    outcome_.act_most_s = std::max(outcome_.act_most_s, paid_s);
    return paid_s;
  }

  // Longest first, each to where least is.
  [[nodiscard]] Mapping balanced() const {
    std::vector<std::size_t> order(objects);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, std::greater{}, [&](std::size_t object) { return loads_[object]; });
    std::vector<double> sums(places, 0.0);
    Mapping mapping(objects);
    for (std::size_t const object : order) {
      auto const place = static_cast<std::size_t>(std::ranges::min_element(sums) - sums.begin());
      sums[place] += loads_[object];
      mapping[object] = place;
    }
    return mapping;
  }

  void look(BalanceTrigger& trigger) {
    Mapping const proposed = balanced();
    double const look_s = pay(plan_.look_s);
    LookFacts const facts{.look_s = look_s,
                          .predicted_now_s = longest(mapping_),
                          .predicted_new_s = longest(proposed),
                          .migrate_s = plan_.migrate_s * plan_.told_over_cost};
    ++outcome_.looks;
    if (trigger.looked(facts) == BalanceVerdict::stay) {
      outcome_.in_vain_s += look_s;
      return;
    }
    ++outcome_.moves;
    last_ = mapping_;
    mapping_ = proposed;
    double const migrate_s = pay(plan_.migrate_s);
    last_act_s_ = look_s + migrate_s;
    trigger.moved(migrate_s);
  }

  void go_back(BalanceTrigger& trigger) {
    ++outcome_.ways_back;
    mapping_ = last_;
    effect_left_ = plan_.effect;
    double const migrate_s = pay(plan_.migrate_s);
    outcome_.in_vain_s += last_act_s_ + migrate_s;
    trigger.went_back(migrate_s);
  }

  Plan plan_;
  RandomDraws draws_;
  std::vector<double> loads_;
  Mapping first_;
  Mapping mapping_;
  Mapping last_;
  double last_act_s_{0.0};
  std::int64_t effect_left_{0};
  Outcome outcome_;
};

std::string text(Plan const& plan, std::uint64_t seed) {
  return "seed " + std::to_string(seed) + ", loads " +
         std::to_string(static_cast<int>(plan.loads)) + ", phases " + std::to_string(plan.phases) +
         ", look " + std::to_string(plan.look_s) + ", migrate " + std::to_string(plan.migrate_s) +
         ", slower by " + std::to_string(plan.slower_by) + ", gain part " +
         std::to_string(plan.gain_part) + ", imbalance " + std::to_string(plan.imbalance);
}

// Log-uniform.
double drawn(RandomDraws& draws, double least, double most) {
  return least * std::pow(most / least, draws.next());
}

// What is drawn for any world. Costs go up to seconds, thousands of times what the first look is
// expected to cost; they vary by the factor that the trigger allows for.
Plan drawn_plan(RandomDraws& draws) {
  return {.loads = static_cast<Loads>(draws.below(5)),
          .phases = static_cast<std::int64_t>(drawn(draws, 5, 1500)),
          .imbalance = draws.next() < 0.2 ? 0.0 : drawn(draws, 0.01, 2.0),
          .look_s = drawn(draws, 1e-5, 1e-3),
          .migrate_s = drawn(draws, 1e-5, 10.0),
          .cost_spread = 1.0 + draws.next()};
}

constexpr std::uint64_t worlds = 2000;

// Counts worlds that lost more than 2 % of their time. Where loads are random, the mapping of the
// beginning may turn out to have been the better one, which cannot be known before: in one world of
// a thousand by up to 5 %. Elsewhere it never happens.
class Losers {
 public:
  void add(Outcome const& outcome, Plan const& plan, std::uint64_t seed) {
    bool const is_chance = plan.loads == Loads::redrawn || plan.loads == Loads::walking;
    EXPECT_LE(outcome.over(), is_chance ? 0.05 : 0.02) << text(plan, seed);
    EXPECT_LE(outcome.in_vain_s, 0.02 * outcome.total_s) << text(plan, seed);
    if (outcome.over() > 0.02) ++count_;
  }
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  std::uint64_t count_{0};
};

// Worlds as drawn, but for what `change(plan, draws)` says.
void expect_small_losses(std::uint64_t draws_seed, auto&& change) {
  RandomDraws draws(draws_seed);
  Losers losers;
  for (std::uint64_t seed = 0; seed < worlds; ++seed) {
    Plan plan = drawn_plan(draws);
    change(plan, draws);
    losers.add(World(plan, seed).run(), plan, seed);
  }
  EXPECT_LE(losers.count(), worlds / 1000);
}

TEST(BalanceWorlds, honest_ones_lose_next_to_nothing) {
  expect_small_losses(1, [](Plan&, RandomDraws&) {});
}

TEST(BalanceWorlds, whose_gains_do_not_come_true_lose_next_to_nothing) {
  expect_small_losses(2, [](Plan& plan, RandomDraws&) { plan.gain_part = 0.0; });
}

TEST(BalanceWorlds, where_every_move_makes_phases_a_little_longer_lose_next_to_nothing) {
  expect_small_losses(3, [](Plan& plan, RandomDraws& draws) {
    plan.gain_part = 0.0;
    plan.slower_by = drawn(draws, 1e-4, 0.05);
  });
}

// Surprises: a phase twice as long, costs a thousand times as high as told. One is not to be had
// for less than it costs; they must not add up.
TEST(BalanceWorlds, that_surprise_cost_one_surprise_at_most) {
  RandomDraws draws(4);
  for (std::uint64_t seed = 0; seed < worlds; ++seed) {
    Plan plan = drawn_plan(draws);
    plan.gain_part = 0.0;
    plan.slower_by = drawn(draws, 0.05, 3.0);
    plan.look_s = drawn(draws, 1e-3, 1.0);
    plan.cost_spread = drawn(draws, 1.0, 1000.0);
    plan.told_over_cost = drawn(draws, 1e-3, 1.0);
    Outcome const outcome = World(plan, seed).run();

    double const lost_s = outcome.total_s - outcome.without_s;
    EXPECT_LE(lost_s, 0.02 * outcome.total_s + 4.0 * outcome.act_most_s) << text(plan, seed);
  }
}

TEST(BalanceWorlds, that_surprise_have_made_up_for_it_in_the_long_run) {
  RandomDraws draws(5);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Plan plan = drawn_plan(draws);
    plan.phases = 5000;
    plan.gain_part = 0.0;
    plan.loads = static_cast<Loads>(draws.below(3));  // what grows for ever is never long
    plan.slower_by = drawn(draws, 0.05, 3.0);
    plan.migrate_s = drawn(draws, 1e-5, 1.0);
    Outcome const outcome = World(plan, seed).run();

    EXPECT_LE(outcome.over(), 0.02) << text(plan, seed);
  }
}

// Phases stay long for a while although objects are again where they were.
TEST(BalanceWorlds, with_effects_that_outlast_moves_are_deceived_once) {
  RandomDraws draws(7);
  for (std::uint64_t seed = 0; seed < worlds; ++seed) {
    Plan plan = drawn_plan(draws);
    plan.gain_part = 0.0;
    plan.slower_by = drawn(draws, 0.1, 3.0);
    plan.effect = 1 + static_cast<std::int64_t>(draws.below(2));
    plan.phases = 1500;
    Outcome const outcome = World(plan, seed).run();

    // Of what is lost only the trial's phases are written down.
    double const lost_s = outcome.total_s - outcome.without_s;
    auto const times = static_cast<double>(1 + plan.effect);
    EXPECT_LE(lost_s, 0.02 * times * outcome.total_s + (2.0 * times + 4.0) * outcome.act_most_s)
        << text(plan, seed);
  }
}

TEST(BalanceWorlds, with_noise_lose_next_to_nothing) {
  expect_small_losses(
      6, [](Plan& plan, RandomDraws& draws) { plan.noise = drawn(draws, 0.001, 0.3); });
}

// Places are equal, and now this one takes longer and now that one; a balancer that believes in
// what it sees promises to mend it.
TEST(BalanceWorlds, of_chance_alone_seldom_move) {
  for (int const places : {2, 4, 16, 64}) {
    RandomDraws draws(static_cast<std::uint64_t>(places));
    int moved = 0;
    for (int world = 0; world < 500; ++world) {
      BalanceTrigger trigger({.phases = 1000});
      for (int phase = 0; phase < 200; ++phase) {
        PhaseFacts facts;
        for (int place = 0; place < places; ++place) {
          // The sum of four numbers is nearly normal.
          double const busy_s =
              1.0 + 0.1 * (draws.next() + draws.next() + draws.next() + draws.next() - 2.0);
          facts.over_mean_s.push_back(busy_s);
          facts.mean_s += busy_s / places;
        }
        facts.longest_s = facts.phase_s = std::ranges::max(facts.over_mean_s);
        for (double& each : facts.over_mean_s) each -= facts.mean_s;
        if (trigger.end_phase(facts) != BalanceAdvice::look) continue;
        BalanceVerdict const verdict = trigger.looked({.look_s = 1e-3,
                                                       .predicted_now_s = facts.longest_s,
                                                       .predicted_new_s = facts.mean_s,
                                                       .migrate_s = 1e-2});
        if (verdict == BalanceVerdict::stay) continue;
        ++moved;
        break;
      }
    }
    EXPECT_LE(moved, 50) << places;
  }
}

TEST(BalanceWorlds, of_steady_imbalance_are_soon_as_good_as_they_can_be) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Plan const plan{.phases = 200, .imbalance = 1.0};
    Outcome const outcome = World(plan, seed).run();

    EXPECT_EQ(outcome.ways_back, 0) << seed;
    EXPECT_LE(outcome.moves, 2) << seed;
    // All but the first dozen phases.
    double const best_s = outcome.ideal_s + 12.0 / 200.0 * outcome.without_s;
    EXPECT_LE(outcome.total_s, 1.03 * best_s) << seed;
  }
}

TEST(BalanceWorlds, whose_heavy_place_hops_gain_although_they_must_move_again) {
  double total_s = 0.0;
  double without_s = 0.0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Plan const plan{.loads = Loads::hopping, .phases = 400, .imbalance = 2.0};
    Outcome const outcome = World(plan, seed).run();
    EXPECT_GE(outcome.moves, 10) << seed;
    total_s += outcome.total_s;
    without_s += outcome.without_s;
  }

  EXPECT_LT(total_s, 0.9 * without_s);
}

TEST(BalanceWorlds, short_ones_are_left_alone) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Plan const plan{.phases = 3, .look_s = 0.5};

    EXPECT_EQ(World(plan, seed).run().looks, 0) << seed;
  }
}

// One object takes longer than a place's share, and cannot be cut: the rest can be spread, and then
// there is an imbalance for ever that no mapping takes away.
TEST(BalanceWorlds, in_which_nothing_helps_are_looked_at_seldom) {
  Plan const plan{.phases = 5000, .giant = 3.0};
  Outcome const outcome = World(plan, 7).run();

  EXPECT_LE(outcome.moves, 2);
  EXPECT_GE(outcome.looks, 5);
  EXPECT_LE(outcome.looks, 30);
}

}  // namespace
}  // namespace makespan::graph

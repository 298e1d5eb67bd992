// SPDX-License-Identifier: Apache-2.0
// Goal: planes move when it pays, soon after a speed has changed, and not back and forth. Method:
// by hand, and whole runs of steps with noise.
#include "makespan/grid/cut/rebalance.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>

#include "makespan/base/random_draws.hpp"

namespace makespan::grid {
namespace {

using testing::ElementsAre;
using testing::Optional;

constexpr RebalanceCosts cheap{.plane = Seconds{1e-4}, .fixed = Seconds{1e-4}};

std::vector<SlabDevice> const one_to_three{{.speed = Speed{100.0}}, {.speed = Speed{300.0}}};

TEST(SpeedMeter, blends_what_is_new_with_what_was) {
  SpeedMeter meter;
  EXPECT_EQ(meter.speed(), std::nullopt);
  meter.tell(0, Seconds{1.0});
  meter.tell(10, Seconds{0.0});
  EXPECT_EQ(meter.speed(), std::nullopt);

  meter.tell(100, Seconds{1.0});
  EXPECT_EQ(meter.speed(), Speed{100.0});
  meter.tell(150, Seconds{0.5});
  EXPECT_EQ(meter.speed(), Speed{200.0});
}

TEST(SpeedMeter, knows_another_speed_from_noise_at_the_second_telling) {
  SpeedMeter meter;
  for (double const speed : {100.0, 25.0, 25.0}) meter.tell(100, Seconds{100 / speed});
  EXPECT_DOUBLE_EQ(meter.speed()->value(), 25.0);

  // Once, and to both sides in turn: noise.
  for (double const speed : {100.0, 25.0, 45.0}) meter.tell(100, Seconds{100 / speed});
  double const blended = meter.speed()->value();
  EXPECT_GT(blended, 30.0);
  EXPECT_LT(blended, 60.0);
}

TEST(Rebalance, goes_where_speeds_say) {
  EXPECT_THAT(better_cut(std::vector<std::int64_t>{32, 32}, one_to_three, 1000, cheap),
              Optional(ElementsAre(16, 48)));
}

TEST(Rebalance, stays_where_little_is_gained) {
  EXPECT_EQ(better_cut(std::vector<std::int64_t>{16, 48}, one_to_three, 1000000, cheap),
            std::nullopt);
  // A plane of 160 is 0.6 %.
  EXPECT_EQ(better_cut(std::vector<std::int64_t>{161, 479}, one_to_three, 1000000, cheap),
            std::nullopt);
}

TEST(Rebalance, stays_where_too_few_steps_are_left) {
  // 0.16 s a step are saved, 16 planes move.
  RebalanceCosts const dear{.plane = Seconds{1.0}, .fixed = Seconds{0.5}};

  EXPECT_EQ(better_cut(std::vector<std::int64_t>{32, 32}, one_to_three, 103, dear), std::nullopt);
  EXPECT_THAT(better_cut(std::vector<std::int64_t>{32, 32}, one_to_three, 104, dear),
              Optional(ElementsAre(16, 48)));
}

TEST(Rebalance, counts_planes_that_change_hands) {
  using Cut = std::vector<std::int64_t>;

  EXPECT_EQ(planes_moved(Cut{4, 4, 4}, Cut{4, 4, 4}), 0);
  EXPECT_EQ(planes_moved(Cut{4, 4, 4}, Cut{3, 5, 4}), 1);
  EXPECT_EQ(planes_moved(Cut{4, 4, 4}, Cut{5, 4, 3}), 2);
  EXPECT_EQ(planes_moved(Cut{12, 0, 0}, Cut{0, 0, 12}), 12);
}

TEST(Rebalance, is_worth_it_where_it_saves_more_than_it_costs) {
  CutChange const change{.now = Seconds{1.0}, .then = Seconds{0.9}, .planes = 10};
  RebalanceCosts const costs{.plane = Seconds{0.01}, .fixed = Seconds{0.85}};  // 0.95 s in all

  EXPECT_FALSE(is_worth_it(change, 9, costs));
  EXPECT_TRUE(is_worth_it(change, 10, costs));
  // Noise, however many steps there are.
  EXPECT_FALSE(is_worth_it({.now = Seconds{1.0}, .then = Seconds{0.985}}, 1'000'000, {}));
  EXPECT_TRUE(is_worth_it({.now = Seconds{1.0}, .then = Seconds{0.985}}, 1'000'000, {},
                          {.gain_min = 0.01}));
}

// Three devices; after 50 steps one has a quarter of its speed.
TEST(Rebalance, is_right_within_three_of_a_change) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    RandomDraws draws(seed);
    std::vector<double> speeds{100.0, 100.0, 100.0};
    std::vector<SpeedMeter> meters(3);
    std::vector<std::int64_t> cut{64, 64, 64};
    int moves = 0;
    for (int step = 0; step < 150; ++step) {
      if (step == 50) speeds[1] = 25.0;
      if (step == 50) {
        EXPECT_EQ(moves, 0) << "for noise";
      }
      for (std::size_t at = 0; at < cut.size(); ++at) {
        double const noise = 1.0 + 0.01 * (draws.next() - 0.5);
        meters[at].tell(static_cast<double>(cut[at]),
                        Seconds{static_cast<double>(cut[at]) / speeds[at] * noise});
      }
      if (step % 10 != 9) continue;
      std::vector<SlabDevice> devices;
      for (SpeedMeter const& meter : meters) devices.push_back({.speed = meter.speed().value()});
      if (auto const better = better_cut(cut, devices, 150 - step, cheap)) {
        cut = *better;
        ++moves;
      }
    }
    EXPECT_LE(moves, 3) << seed;
    // 192 planes at 225 planes a second: 85.3 for the fast ones, 21.3 for the slow one.
    EXPECT_NEAR(static_cast<double>(cut[0]), 85.3, 1.0) << seed;
    EXPECT_NEAR(static_cast<double>(cut[1]), 21.3, 1.0) << seed;
  }
}

}  // namespace
}  // namespace makespan::grid

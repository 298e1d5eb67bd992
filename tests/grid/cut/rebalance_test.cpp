// SPDX-License-Identifier: Apache-2.0
// Goal: another speed is known from noise, and a change of cut is made when it pays. Method: by
// hand.
#include "makespan/grid/cut/rebalance.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>

#include "makespan/base/random_draws.hpp"

namespace makespan::grid {
namespace {

using testing::ElementsAre;
using testing::Optional;

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

}  // namespace
}  // namespace makespan::grid

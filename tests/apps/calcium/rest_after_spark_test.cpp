// SPDX-License-Identifier: Apache-2.0
// Goal: after a spark the cytosol returns to rest, and it is SERCA that brings it there. Method:
// 200 ms of thirteen channels' spark (examples/grid/spark.toml) in a closed box of 3.2 x 2.4 x
// 2.4 µm, so coarse that it takes minutes; without pumps beside it. Long: calcium_unit_test.cpp has
// one voxel.
//
// The time constant: near rest what is too much falls by e in 300 ms, which follows from Hake et
// al.'s SERCA and buffers (calcium_unit_test.cpp tells how), and faster where there is more.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "apps/calcium/unit_grid.hpp"
#include "makespan/apps/calcium/calcium_unit.hpp"

namespace makespan::calcium {
namespace {

CalciumSettings coarse_spark(Pumps const& pumps) {
  constexpr double h = 0.04;
  CalciumSettings settings{.voxels = {.points = {80, 60, 60}, .spacing = h},
                           .time_step = 1.15e-3,
                           .pumps = pumps,
                           .geometry = {.cleft_height = h, .jsr_thickness = h, .ryr_pitch = h},
                           .openings = {}};
  struct Row {
    int channel;
    double open_ms, close_ms;
  };
  for (Row const& row : {Row{24, 0, 10},
                         {17, 0.3, 7},
                         {23, 0.2, 8},
                         {25, 0.4, 9},
                         {31, 0.5, 9.5},
                         {16, 1.0, 7.5},
                         {18, 0.8, 8.5},
                         {30, 0.6, 6.0},
                         {32, 0.7, 8.0},
                         {10, 1.2, 6.0},
                         {22, 0.9, 6.5},
                         {26, 1.1, 7.0},
                         {38, 1.3, 5.0}}) {
    settings.openings.push_back(
        {.channel = row.channel, .open_ms = row.open_ms, .close_ms = row.close_ms});
  }
  return settings;
}

// Free calcium of the cytosol over that at rest, less 1: its mean, and where it is most.
struct Excess {
  double mean{};
  double most{};
};
Excess excess_of(UnitGrid const& grid, CalciumUnit const& unit) {
  grid::Point const points = unit.map().points();
  double const rest = unit.start_of(Region::cytosol)[0];
  double sum = 0;
  double most = 0;
  std::int64_t voxels = 0;
  for (std::int64_t i = 0; i < points.x * points.y * points.z; ++i) {
    grid::Point const at{i % points.x, i / points.x % points.y, i / points.x / points.y};
    if (unit.map().region(at) > Region::cleft) continue;
    double const ca = grid.at(Field::ca, at);
    sum += ca;
    most = std::max(most, ca);
    ++voxels;
  }
  return {sum / static_cast<double>(voxels) / rest - 1, most / rest - 1};
}

Excess after_200_ms(Pumps const& pumps) {
  CalciumSettings const settings = coarse_spark(pumps);
  CalciumUnit const unit{settings};
  UnitGrid grid{unit, settings.voxels.points};
  grid.start(unit);
  std::int64_t number = 0;
  Excess excess;
  for (double const ms : {5., 20., 50., 100., 150., 200.}) {
    for (; number < std::llround(ms / settings.time_step); ++number) grid.step(unit, number);
    excess = excess_of(grid, unit);
    std::printf("%3.0f ms: mean %+.3f %%, most %+.3f %%\n", ms, 100 * excess.mean,
                100 * excess.most);
    std::fflush(stdout);
  }
  return excess;
}

TEST(RestAfterSpark, serca_and_the_membrane_bring_the_cytosol_back) {
  Excess const excess = after_200_ms({.serca = true, .membrane_pump = true, .exchanger = true});

  // 3.3 and 3.6 %.
  EXPECT_LT(excess.mean, 0.05);
  EXPECT_LT(excess.most, 0.05);
  EXPECT_GT(excess.mean, 0);
}

TEST(RestAfterSpark, without_them_it_does_not_come_back) {
  // 9.1 %: all that came out of the SR is there, in more voxels.
  EXPECT_GT(after_200_ms({}).mean, 0.08);
}

}  // namespace
}  // namespace makespan::calcium

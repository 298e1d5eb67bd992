// SPDX-License-Identifier: Apache-2.0
// Goal: what the network SR gains is what the grid loses, also after it has changed. Method: sums
// over all fields around one step.
#include "makespan/apps/calcium/network_sr.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "apps/calcium/unit_grid.hpp"

namespace makespan::calcium {
namespace {

CalciumSettings store_settings() {
  return {.voxels = {.points = {64, 48, 48}, .spacing = 0.0075},
          .time_step = 3e-5,
          .pumps = {.serca = true, .network_sr = true},
          .openings = {}};
}

// Calcium that differs from voxel to voxel; in the SR some of it is gone.
Values uneven(CalciumUnit const& unit, UnitGrid& grid) {
  grid.start(unit);
  Values values = grid.values();
  grid::Point const points = unit.map().points();
  for (std::int64_t i = 0; i < points.x * points.y * points.z; ++i) {
    grid::Point const at{i % points.x, i / points.x % points.y, i / points.x / points.y};
    double& ca = values[index_of(points, 0, at)];
    if (unit.map().region(at) <= Region::cleft) ca += 0.02 * static_cast<double>(at.y);
    if (unit.map().region(at) == Region::jsr) ca -= 600;
  }
  grid.set(values);
  return values;
}

TEST(NetworkSr, gains_what_the_grid_loses) {
  CalciumSettings const settings = store_settings();
  grid::Point const points = settings.voxels.points;
  auto const voxels = static_cast<std::size_t>(points.x * points.y * points.z);
  for (double const sr : {1300., 700.}) {
    CalciumUnit unit{settings};
    unit.set_network_sr(sr);
    UnitGrid grid{unit, points};
    Values const before = uneven(unit, grid);
    NetworkSrGain const gain =
        network_sr_gain(settings, sr, {{}, points}, std::span{before}.first(voxels));
    grid.step(unit, 0);

    Values const after = grid.values();
    double lost = 0;
    for (std::size_t i = 0; i < after.size(); ++i) lost += before[i] - after[i];
    // Refilling outweighs what SERCA takes; or there is none. Diffusion comes before them.
    EXPECT_EQ(gain.rate < 0, sr == 1300);
    EXPECT_GT(std::abs(gain.rate), 1000);
    EXPECT_NEAR(lost / (gain.rate * settings.time_step), 1, 1e-3) << sr;
  }
}

TEST(NetworkSr, parts_of_the_grid_add_up) {
  CalciumSettings const settings = store_settings();
  CalciumUnit const unit{settings};
  grid::Point const points = settings.voxels.points;
  UnitGrid grid{unit, points};
  Values const values = uneven(unit, grid);
  std::int64_t const plane = points.x * points.y;
  auto const gain_of = [&](std::int64_t begin, std::int64_t end) {
    return network_sr_gain(
        settings, 1000, {{0, 0, begin}, {points.x, points.y, end}},
        std::span{values}.subspan(static_cast<std::size_t>(begin * plane),
                                  static_cast<std::size_t>((end - begin) * plane)));
  };

  NetworkSrGain const whole = gain_of(0, points.z);
  NetworkSrGain const low = gain_of(0, 30);
  NetworkSrGain const high = gain_of(30, points.z);

  EXPECT_NEAR(low.rate + high.rate, whole.rate, 1e-9 * std::abs(whole.rate));
  EXPECT_EQ(low.cytosol_voxels + high.cytosol_voxels, whole.cytosol_voxels);
  VoxelMap const& map = unit.map();
  std::int64_t cytosol = 0;
  for (std::int64_t i = 0; i < plane * points.z; ++i) {
    Region const region = map.region({i % points.x, i / points.x % points.y, i / plane});
    cytosol += region != Region::jsr && region != Region::t_tubule ? 1 : 0;
  }
  EXPECT_EQ(whole.cytosol_voxels, cytosol);
}

TEST(NetworkSr, the_leak_conducts_what_it_did) {
  CalciumSettings const settings = store_settings();

  Uptake const begun = uptake_beside(settings, 1300);
  Uptake const emptied = uptake_beside(settings, 650);

  EXPECT_EQ(begun.leak, emptied.leak);
  EXPECT_EQ(emptied.leak_from, 650);
  EXPECT_GT(taken_by(emptied, 1), taken_by(begun, 1));  // against less
}

}  // namespace
}  // namespace makespan::calcium

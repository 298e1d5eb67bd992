// SPDX-License-Identifier: Apache-2.0
// Goal: a map says of each voxel what it was given, and beyond the grid what its ends say.
#include "makespan/apps/calcium/voxel_map.hpp"

#include <gtest/gtest.h>

#include <random>

namespace makespan::calcium {
namespace {

constexpr grid::Point points{9, 4, 3};

std::vector<Region> random_regions() {
  std::mt19937_64 random{3};
  std::vector<Region> regions;
  for (std::int64_t i = 0; i < points.x * points.y * points.z; ++i) {
    regions.push_back(static_cast<Region>(random() % region_count));
  }
  return regions;
}
Region region_of(std::vector<Region> const& regions, grid::Point at) {
  return regions[static_cast<std::size_t>((at.z * points.y + at.y) * points.x + at.x)];
}

TEST(VoxelMap, has_what_it_was_given) {
  auto const regions = random_regions();
  VoxelMap const map = voxel_map_of(points, {}, regions);

  for (std::int64_t z = 0; z < points.z; ++z) {
    for (std::int64_t y = 0; y < points.y; ++y) {
      for (std::int64_t x = 0; x < points.x; ++x) {
        ASSERT_EQ(map.region({x, y, z}), region_of(regions, {x, y, z}));
        ASSERT_EQ(map.region_in_row(map.row_number(y, z), x), map.region({x, y, z}));
      }
    }
  }
  EXPECT_EQ(map.points(), points);
}

TEST(VoxelMap, beyond_an_end_is_the_nearest_voxel) {
  auto const regions = random_regions();
  VoxelMap const map = voxel_map_of(points, {}, regions);

  EXPECT_EQ(map.region({-1, 2, 1}), region_of(regions, {0, 2, 1}));
  EXPECT_EQ(map.region({9, 2, 1}), region_of(regions, {8, 2, 1}));
  EXPECT_EQ(map.region({4, -1, 1}), region_of(regions, {4, 0, 1}));
  EXPECT_EQ(map.region({4, 4, 1}), region_of(regions, {4, 3, 1}));
  EXPECT_EQ(map.region({4, 2, -1}), region_of(regions, {4, 2, 0}));
  EXPECT_EQ(map.region({4, 2, 3}), region_of(regions, {4, 2, 2}));
}

TEST(VoxelMap, beyond_an_end_that_wraps_is_the_other_end) {
  auto const regions = random_regions();
  VoxelMap const map = voxel_map_of(points, {true, true, true}, regions);

  EXPECT_EQ(map.region({-1, 2, 1}), region_of(regions, {8, 2, 1}));
  EXPECT_EQ(map.region({9, 2, 1}), region_of(regions, {0, 2, 1}));
  EXPECT_EQ(map.region({4, -1, 1}), region_of(regions, {4, 3, 1}));
  EXPECT_EQ(map.region({4, 2, 3}), region_of(regions, {4, 2, 0}));
}

TEST(VoxelMap, rows_that_are_the_same_are_kept_once) {
  VoxelMap const map{points, {}, [](std::int64_t y, std::int64_t) {
                       return std::vector<RegionRun>{{y % 2 == 0 ? 3 : 5, Region::cleft},
                                                     {9, Region::jsr}};
                     }};

  EXPECT_EQ(map.row_number(0, 0), map.row_number(2, 1));
  EXPECT_NE(map.row_number(0, 0), map.row_number(1, 0));
  EXPECT_EQ(map.runs(map.row_number(1, 0))[0], (RegionRun{5, Region::cleft}));
  EXPECT_TRUE(map.holds(Region::jsr));
  EXPECT_FALSE(map.holds(Region::t_tubule));
}

}  // namespace
}  // namespace makespan::calcium

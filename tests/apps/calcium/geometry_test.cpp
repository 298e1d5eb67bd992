// SPDX-License-Identifier: Apache-2.0
// Goal: regions lie where the geometry says, and are as large; channels sit between cleft and SR.
#include "makespan/apps/calcium/geometry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include "makespan/apps/calcium/sources.hpp"
#include "makespan/base/error.hpp"

namespace makespan::calcium {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

// At 5 nm, unless a test says else.
constexpr Voxels voxels{.points = {120, 100, 100}, .spacing = 0.005};

void expect_refused(Geometry const& geometry, Voxels const& of, std::string const& problem,
                    std::string const& advice) {
  EXPECT_THAT([&] { check(geometry, of); },
              ThrowsMessage<InputError>(AllOf(HasSubstr(problem), HasSubstr(advice))));
}

// Voxels of each region.
std::map<Region, double> counts(VoxelMap const& map) {
  std::map<Region, double> counts;
  grid::Point const points = map.points();
  for (std::int64_t z = 0; z < points.z; ++z) {
    for (std::int64_t y = 0; y < points.y; ++y) {
      for (std::int64_t x = 0; x < points.x; ++x) counts[map.region({x, y, z})] += 1;
    }
  }
  return counts;
}

TEST(Geometry, regions_follow_each_other_from_the_axis_upwards) {
  // The voxel's middle is 2.5 nm above the axis, and so on: 5 nm · (k + 1/2).
  auto const above = [](std::int64_t k) { return region_at({}, voxels, {60, 50, 50 + k}); };

  EXPECT_EQ(above(0), Region::t_tubule);
  EXPECT_EQ(above(21), Region::t_tubule);  // 107.5 nm
  EXPECT_EQ(above(22), Region::cleft);     // 112.5
  EXPECT_EQ(above(24), Region::cleft);     // 122.5
  EXPECT_EQ(above(25), Region::jsr);       // 127.5
  EXPECT_EQ(above(32), Region::jsr);       // 162.5
  EXPECT_EQ(above(33), Region::near_cytosol);
  EXPECT_EQ(above(39), Region::near_cytosol);  // 197.5
  EXPECT_EQ(above(40), Region::cytosol);
  // Below the tubule, and beyond the SR's ends, there is no cleft.
  EXPECT_EQ(region_at({}, voxels, {60, 50, 27}), Region::near_cytosol);
  EXPECT_EQ(region_at({}, voxels, {13, 50, 75}), Region::near_cytosol);
  EXPECT_EQ(region_at({}, voxels, {14, 50, 75}), Region::jsr);
}

TEST(Geometry, regions_are_as_large_as_they_should_be) {
  auto const count = counts(voxel_map_of(Geometry{}, voxels));
  double const voxel = 0.005 * 0.005 * 0.005;
  double const pi = 3.14159265358979;

  EXPECT_NEAR(count.at(Region::t_tubule) * voxel, pi * 0.11 * 0.11 * 0.6, 0.01 * 0.0228);
  // Sectors of shells, 0.465 µm wide at 0.125 µm, 0.465 long.
  double const angle = 0.465 / 0.125;
  double const cleft = angle / 2 * (0.125 * 0.125 - 0.11 * 0.11) * 0.465;
  double const jsr = angle / 2 * (0.165 * 0.165 - 0.125 * 0.125) * 0.465;
  EXPECT_NEAR(count.at(Region::cleft) * voxel, cleft, 0.02 * cleft);
  EXPECT_NEAR(count.at(Region::jsr) * voxel, jsr, 0.02 * jsr);
}

TEST(Geometry, the_map_has_each_voxel_where_it_is) {
  Voxels const odd{.points = {97, 81, 80}, .spacing = 0.006};
  VoxelMap const map = voxel_map_of(Geometry{}, odd);

  for (std::int64_t z = 0; z < odd.points.z; ++z) {
    for (std::int64_t y = 0; y < odd.points.y; ++y) {
      for (std::int64_t x = 0; x < odd.points.x; ++x) {
        ASSERT_EQ(map.region({x, y, z}), region_at({}, odd, {x, y, z}))
            << x << ", " << y << ", " << z;
      }
    }
  }
  EXPECT_TRUE(voxel_map_of({.layout = Layout::plain}, odd).holds(Region::cytosol));
  EXPECT_FALSE(voxel_map_of({.layout = Layout::plain}, odd).holds(Region::jsr));
}

TEST(Geometry, each_ryr_opens_from_sr_into_the_cleft) {
  for (double const spacing : {0.003, 0.005, 0.0075, 0.015}) {
    auto const along = [spacing](double length) {
      return static_cast<std::int64_t>(length / spacing);
    };
    Voxels const of{.points = {along(0.6), along(0.45), along(0.45)}, .spacing = spacing};
    check({}, of);

    auto const channels = ryr_channels({}, of);

    ASSERT_EQ(channels.size(), 49U);
    std::set<std::tuple<std::int64_t, std::int64_t, std::int64_t>> places;
    for (IonChannel const& channel : channels) {
      Source const source{.voxel = channel.voxel, .face = channel.face};
      EXPECT_EQ(region_at({}, of, channel.voxel), Region::cleft);
      EXPECT_EQ(region_at({}, of, both_sides(source)[1].voxel), Region::jsr);
      places.insert({channel.voxel.x, channel.voxel.y, channel.voxel.z});
    }
    EXPECT_EQ(places.size(), 49U);
  }
}

TEST(Geometry, ryrs_are_a_pitch_apart_along_the_tubule) {
  auto const channels = ryr_channels({}, voxels);

  // The middle one is above the axis, at a voxel's edge; 93 nm are 18.6 voxels.
  EXPECT_EQ(channels[24].voxel.y, 50);
  EXPECT_EQ(channels[24].voxel.z, 74);
  EXPECT_EQ(channels[24].face, grid::Face::z_high);
  EXPECT_EQ(channels[24].voxel.x, 60);
  EXPECT_EQ(channels[21].voxel.x, 41);
  EXPECT_EQ(channels[27].voxel.x, 78);
  // Those at the sides of a large cluster look sideways: 8 · 31 nm around at 125 nm is 113°.
  auto const wide = ryr_channels({.ryr_per_side = 15}, voxels);
  EXPECT_EQ(wide.front().face, grid::Face::y_low);
  EXPECT_EQ(wide.back().face, grid::Face::y_high);
}

TEST(Geometry, lccs_sit_on_the_tubule) {
  auto const channels = lcc_channels({}, voxels);

  ASSERT_EQ(channels.size(), 7U);
  for (IonChannel const& channel : channels) {
    EXPECT_EQ(region_at({}, voxels, channel.voxel), Region::cleft);
    EXPECT_EQ(region_at({}, voxels, channel.voxel - grid::Point{0, 0, 1}), Region::t_tubule);
  }
  EXPECT_TRUE(lcc_channels({.layout = Layout::plain}, voxels).empty());
  EXPECT_TRUE(ryr_channels({.layout = Layout::plain}, voxels).empty());
}

TEST(Geometry, what_cannot_be_is_refused) {
  expect_refused({}, {.points = {9, 9, 9}, .spacing = 0}, "spacing = 0 µm", "0.003");
  expect_refused({}, {.points = {9, 0, 9}, .spacing = 1}, "0 voxels", "over the spacing");
  expect_refused({}, {.points = {60, 50, 50}, .spacing = 0.016}, "cleft_height = 0.015 µm",
                 "smaller spacing");
  expect_refused({.jsr_thickness = 0.001}, voxels, "jsr_thickness = 0.001 µm", "0.040");
  expect_refused({}, {.points = {60, 100, 100}, .spacing = 0.005}, "along x of 0.465", "along x");
  expect_refused({}, {.points = {120, 60, 100}, .spacing = 0.005}, "across y of 0.33", "along y");
  expect_refused({.jsr_width = 0.8}, voxels, "jsr_width of 0.8", "narrower");
  expect_refused({.ryr_per_side = 16}, voxels, "row of RyRs", "take fewer");
  expect_refused({.ryr_pitch = 0.004}, voxels, "ryr_pitch = 0.004", "fewer channels");
  expect_refused({.ryr_per_side = -1}, voxels, "ryr_per_side = -1", "7");
  expect_refused({.lcc_count = 20}, voxels, "row of LCCs", "longer SR");
  // Whose square is beyond an int.
  expect_refused({.ryr_per_side = 60'000}, voxels, "ryr_per_side = 60000", "7");
  expect_refused({.lcc_count = 2'000'000'000}, voxels, "lcc_count = 2000000000", "7");
  EXPECT_NO_THROW(check({.layout = Layout::plain}, {.points = {1, 1, 1}, .spacing = 0.05}));
}

// A map has a number for each row; nothing is laid out for those that are refused.
TEST(Geometry, more_voxels_than_a_map_is_made_for_are_refused) {
  constexpr std::int64_t side = std::int64_t{1} << 31;
  for (grid::Point const points : {grid::Point{1, 65'536, 65'536}, grid::Point{1, side, side},
                                   grid::Point{side, side, side}, grid::Point{side, 1024, 1}}) {
    for (Layout const layout : {Layout::plain, Layout::release_unit}) {
      expect_refused({.layout = layout}, {.points = points, .spacing = 0.005}, "voxels",
                     "larger spacing");
    }
  }
}

TEST(CalciumGeometry, the_membrane_is_as_large_as_a_cylinder) {
  // A disc of voxels has the surface of a square around it, 8 r, where there are enough of them.
  Voxels const fine{.points = {200, 300, 300}, .spacing = 0.0015};
  EXPECT_NEAR(tubule_area_share({}, fine), 0.785398, 0.01);
  // At 15 nm: 2 π · 0.11 µm, over 60 faces.
  Voxels const coarse{.points = {144, 112, 112}, .spacing = 0.015};
  double const share = tubule_area_share({}, coarse);
  double const faces = 2 * 3.14159265358979 * 0.11 / 0.015 / share;
  EXPECT_NEAR(faces, std::round(faces), 1e-9);
  EXPECT_NEAR(share, 0.785, 0.05);
}

}  // namespace
}  // namespace makespan::calcium

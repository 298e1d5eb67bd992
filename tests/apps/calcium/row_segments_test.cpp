// SPDX-License-Identifier: Apache-2.0
// Goal: pieces cover a row, and all points of a uniform one have the neighbourhood that it says.
// Method: rows of maps at random against each voxel's own neighbours.
#include "makespan/apps/calcium/row_segments.hpp"

#include <gtest/gtest.h>

#include "apps/calcium/unit_grid.hpp"

namespace makespan::calcium {
namespace {

void expect_right(VoxelMap const& map, grid::Point first, std::span<Segment const> segments,
                  grid::Point row) {
  for (Segment const& segment : segments) {
    if (segment.mixture == Mixture::mixed) continue;
    for (std::int64_t x = segment.begin; x < segment.end; x += line_points) {
      auto const line = line_neighbours(map, first + grid::Point{x, row.y, row.z});
      for (std::size_t i = 0; i < line.size(); ++i) {
        // Values beyond the grid are undefined.
        if (first.x + x + static_cast<std::int64_t>(i) >= map.points().x) continue;
        ASSERT_EQ(line[i], segment.around) << "at " << x << " + " << i;
      }
    }
  }
}

TEST(RowSegments, lines_know_the_neighbours_of_each_point) {
  VoxelMap const map = random_map({20, 5, 4}, {}, 1);

  auto const line = line_neighbours(map, {5, 2, 1});

  for (std::int64_t i = 0; i < line_points; ++i) {
    Neighbourhood const expected{
        map.region({5 + i, 2, 1}),
        {map.region({4 + i, 2, 1}), map.region({6 + i, 2, 1}), map.region({5 + i, 1, 1}),
         map.region({5 + i, 3, 1}), map.region({5 + i, 2, 0}), map.region({5 + i, 2, 2})}};
    EXPECT_EQ(line[static_cast<std::size_t>(i)], expected) << i;
  }
}

TEST(RowSegments, pieces_cover_rows_and_say_what_is_around) {
  grid::Point const points{61, 4, 3};
  std::vector<Region> regions;
  std::mt19937_64 random{4};
  Region region{};
  for (std::int64_t i = 0; i < points.x * points.y * points.z; ++i) {
    if (random() % 40 == 0) region = static_cast<Region>(random() % region_count);
    regions.push_back(region);
  }
  std::int64_t uniform = 0;
  for (bool const wraps : {false, true}) {
    VoxelMap const map = voxel_map_of(points, {wraps, wraps, wraps}, regions);
    for (grid::Point const first : {grid::Point{0, 0, 0}, {3, 1, 0}, {16, 0, 1}}) {
      RowSegments segments{map, first, Finding::uniform_pieces};
      std::int64_t const extent = points.x - first.x;
      for (std::int64_t row = 0; row < 6; ++row) {
        auto const found = segments.find(row / 2, row % 2, row, extent);
        std::int64_t x = line_begin(row);
        for (Segment const& segment : found) {
          ASSERT_EQ(segment.begin, x);
          ASSERT_EQ(segment.begin % line_points, 0);
          ASSERT_GT(segment.end, x);
          x = segment.end;
          uniform += segment.mixture == Mixture::uniform ? 1 : 0;
        }
        EXPECT_EQ(x, line_begin(extent + line_points - 1));
        expect_right(map, first, found, {0, row / 2, row % 2});
      }
    }
  }
  EXPECT_GT(uniform, 20);  // there are some
}

TEST(RowSegments, a_row_in_one_region_is_one_piece) {
  grid::Point const points{61, 5, 5};
  VoxelMap const map{
      points, {}, [](std::int64_t y, std::int64_t) {
        return std::vector<RegionRun>{{61, y < 2 ? Region::t_tubule : Region::cytosol}};
      }};
  RowSegments segments{map, {}, Finding::uniform_pieces};
  Region const own = Region::cytosol;
  Segment const expected{
      0, 64, Mixture::uniform, {own, {own, own, Region::t_tubule, own, own, own}}};

  ASSERT_EQ(segments.find(2, 2, 0, 61).size(), 1U);
  EXPECT_EQ(segments.find(2, 2, 0, 61)[0], expected);
  EXPECT_EQ(segments.find(2, 2, 9, 20)[0].begin, 8);
  EXPECT_EQ(segments.find(2, 2, 9, 20)[0].end, 24);
}

TEST(RowSegments, rows_are_alike_up_to_where_something_around_changes) {
  grid::Point const points{61, 9, 5};
  VoxelMap const map{
      points, {}, [](std::int64_t y, std::int64_t z) {
        bool const is_tubule = y < 2 || (y == 7 && z == 3);
        return std::vector<RegionRun>{{61, is_tubule ? Region::t_tubule : Region::cytosol}};
      }};
  RowSegments const segments{map, {0, 1, 0}, Finding::uniform_pieces};

  EXPECT_EQ(segments.rows_alike(1, 1, 9), 2);  // the tubule is below the first one
  EXPECT_EQ(segments.rows_alike(2, 1, 8), 8);
  EXPECT_EQ(segments.rows_alike(2, 1, 5), 5);
  EXPECT_EQ(segments.rows_alike(2, 2, 8), 6);  // above the row at 6 something else begins
  EXPECT_EQ(segments.rows_alike(2, 3, 8), 5);  // behind the row at 5
}

TEST(RowSegments, only_lines_at_an_end_of_a_region_are_mixed) {
  VoxelMap const map{{64, 1, 1}, {}, [](std::int64_t, std::int64_t) {
                       return std::vector<RegionRun>{
                           {20, Region::cytosol}, {40, Region::jsr}, {64, Region::cytosol}};
                     }};
  RowSegments segments{map, {}, Finding::uniform_pieces};

  auto const found = segments.find(0, 0, 0, 64);

  // 20 is inside of a line; 40 is where one begins, and the points on both sides see each other.
  ASSERT_EQ(found.size(), 5U);
  EXPECT_EQ(found[0].end, 16);
  EXPECT_EQ(found[1].mixture, Mixture::mixed);
  EXPECT_EQ(found[2].begin, 24);
  EXPECT_EQ(found[2].end, 32);
  EXPECT_EQ(found[3].mixture, Mixture::mixed);
  EXPECT_EQ(found[3].end, 48);
  EXPECT_EQ(found[4].end, 64);
}

TEST(RowSegments, nothing_is_uniform_if_it_is_not_asked_for) {
  VoxelMap const map = random_map({20, 1, 1}, {}, 1);
  RowSegments segments{map, {}, Finding::mixed_only};

  ASSERT_EQ(segments.find(0, 0, 0, 20).size(), 1U);
  EXPECT_EQ(segments.find(0, 0, 0, 20)[0], (Segment{0, 24, Mixture::mixed, {}}));
}

}  // namespace
}  // namespace makespan::calcium

// SPDX-License-Identifier: Apache-2.0
// Goal: a point's code says what the map and the factors say. Method: voxel by voxel, of boxes that
// begin and end anywhere.
#include "makespan/apps/calcium/gpu/detail/point_codes.hpp"

#include <gtest/gtest.h>

#include "apps/calcium/unit_grid.hpp"
#include "makespan/apps/calcium/calcium_unit.hpp"

namespace makespan::calcium {
namespace {

using grid::Box;
using grid::Point;

constexpr Point points{19, 6, 5};
constexpr Point beside[]{{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};

TEST(PointCodes, say_what_the_map_says) {
  Factors const factors = factors_of({.pumps = {.exchanger = true}});
  Sources const sources{{{.voxel = {4, 2, 1}}, {.voxel = {4, 2, 1}}, {.voxel = {18, 5, 4}}}};
  for (bool const wraps : {false, true}) {
    VoxelMap const map = random_map(points, {wraps, wraps, wraps}, 19);
    for (Box const& box : {Box{{}, points}, Box{{3, 1, 1}, {14, 5, 3}}, Box{{18, 5, 4}, points}}) {
      auto const codes = point_codes(map, factors, sources, box);

      ASSERT_EQ(std::ssize(codes), box.points());
      std::size_t next = 0;
      for (std::int64_t z = box.begin.z; z < box.end.z; ++z) {
        for (std::int64_t y = box.begin.y; y < box.end.y; ++y) {
          for (std::int64_t x = box.begin.x; x < box.end.x; ++x) {
            Point const at{x, y, z};
            PointCode const code = codes[next++];
            auto const region = static_cast<std::size_t>(map.region(at));
            EXPECT_EQ(code.region(), static_cast<int>(region));
            EXPECT_EQ(code.has_source(), (at == Point{4, 2, 1} || at == Point{18, 5, 4}));
            int membrane = 0;
            for (int face = 0; face < grid::face_count; ++face) {
              auto const other = static_cast<std::size_t>(map.region(at + beside[face]));
              EXPECT_EQ(code.passes(static_cast<grid::Face>(face)), factors.passes[region][other]);
              membrane += map.region(at + beside[face]) == Region::t_tubule ? 1 : 0;
            }
            bool const is_cytosol = map.region(at) < Region::t_tubule;
            EXPECT_EQ(code.membrane_faces(), is_cytosol ? membrane : 0);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace makespan::calcium

// SPDX-License-Identifier: Apache-2.0
// Goal: a point sees beyond its slab what rows see there. Method: slabs in the middle of a domain
// and at each of its ends, against FieldView::row().
#include "makespan/grid/field/slab_ends.hpp"

#include <gtest/gtest.h>

#include "makespan/grid/field/slab_fields.hpp"

namespace makespan::grid {
namespace {

constexpr FaceValues values{10, 20, 30, 40, 50, 60};

// What a point sees along y and z, by its slab's ends.
double seen_at(FieldView const& view, Point at, Face face) {
  int const number = static_cast<int>(face);
  std::int64_t const step = number % 2 == 0 ? -1 : 1;
  double const here = view.at(at.y, at.z)[at.x];
  double const there =
      number / 2 == 1 ? view.at(at.y + step, at.z)[at.x] : view.at(at.y, at.z + step)[at.x];
  Beyond const beyond = ends_of(view).beside(face, number / 2 == 1 ? at.y : at.z);
  return seen(beyond, there, here, view.values[static_cast<std::size_t>(number)]);
}

TEST(SlabEnds, see_what_rows_see) {
  Box const domain{{}, {6, 5, 4}};
  for (Beyond const rule : {Beyond::stored, Beyond::mirror, Beyond::value}) {
    Sides sides{};
    sides.fill(rule);
    for (Box const& box : {domain, Box{{1, 1, 1}, {5, 4, 3}}, Box{{0, 0, 3}, {6, 5, 4}},
                           Box{{2, 4, 0}, {3, 5, 1}}}) {
      SlabFields fields({.box = box,
                         .domain = domain,
                         .sides = sides,
                         .halo_width = 1,
                         .roles = {FieldRole::spreads},
                         .values = {values}});
      fields.clear(fields.first_plane(), fields.last_plane());
      FieldView const& view = fields.now()[0];
      Point const extent = box.extent();
      double next = 1;
      for (std::int64_t z = -1; z <= extent.z; ++z) {
        for (std::int64_t y = -1; y <= extent.y; ++y) {
          for (std::int64_t x = 0; x < extent.x; ++x) view.at(y, z)[x] = next++;
        }
      }
      for (std::int64_t z = 0; z < extent.z; ++z) {
        for (std::int64_t y = 0; y < extent.y; ++y) {
          Point const at{extent.x - 1, y, z};
          EXPECT_EQ(seen_at(view, at, Face::y_low), view.row(y - 1, z)[at.x]);
          EXPECT_EQ(seen_at(view, at, Face::y_high), view.row(y + 1, z)[at.x]);
          EXPECT_EQ(seen_at(view, at, Face::z_low), view.row(y, z - 1)[at.x]);
          EXPECT_EQ(seen_at(view, at, Face::z_high), view.row(y, z + 1)[at.x]);
        }
      }
    }
  }
}

TEST(SlabEnds, know_the_last_points_along_each_axis) {
  SlabEnds ends{.extent = {3, 1, 5},
                .beyond = {Beyond::mirror, Beyond::value, Beyond::value, Beyond::mirror,
                           Beyond::stored, Beyond::value}};

  EXPECT_EQ(ends.beside(Face::x_low, 0), Beyond::mirror);
  EXPECT_EQ(ends.beside(Face::x_low, 1), Beyond::stored);
  EXPECT_EQ(ends.beside(Face::x_high, 2), Beyond::value);
  EXPECT_EQ(ends.beside(Face::x_high, 1), Beyond::stored);
  EXPECT_EQ(ends.beside(Face::y_low, 0), Beyond::value);
  EXPECT_EQ(ends.beside(Face::y_high, 0), Beyond::mirror);
  EXPECT_EQ(ends.beside(Face::z_low, 0), Beyond::stored);
  EXPECT_EQ(ends.beside(Face::z_high, 4), Beyond::value);
}

}  // namespace
}  // namespace makespan::grid

// SPDX-License-Identifier: Apache-2.0
// Goal: each pair of neighbouring cells has one compute, each cell 27 that feed it; positions find
// their cells, and shifts bring neighbours beside each other.
#include "makespan/apps/melt/cell_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include "makespan/base/error.hpp"

namespace makespan::melt {
namespace {

std::vector<MeltSettings> all_settings() {
  return {{}, {.cells = {3, 3, 3}}, {.cells = {3, 4, 7}}, {.cells = {11, 3, 5}}};
}

TEST(CellGrid, in_lj_has_1875_objects) {
  CellGrid const grid{{}};

  EXPECT_EQ(grid.cells(), 125);
  EXPECT_EQ(grid.computes(), 1750);
}

TEST(CellGrid, each_pair_of_neighbours_has_one_compute) {
  for (MeltSettings const& settings : all_settings()) {
    CellGrid const grid{settings};
    std::set<std::pair<int, int>> pairs;
    for (int index = 0; index < grid.computes(); ++index) {
      ComputeCells const cells = grid.compute(index);
      EXPECT_NO_THROW(grid.direction_to(cells.first, cells.second));
      pairs.insert(std::minmax(cells.first, cells.second));
    }
    EXPECT_EQ(std::ssize(pairs), grid.computes());
  }
}

TEST(CellGrid, each_cell_is_fed_by_27_in_ascending_order) {
  for (MeltSettings const& settings : all_settings()) {
    CellGrid const grid{settings};
    for (int cell = 0; cell < grid.cells(); ++cell) {
      auto const feeds = grid.feeds(cell);
      ASSERT_EQ(feeds.size(), 27U);
      EXPECT_TRUE(std::ranges::is_sorted(feeds, std::ranges::less_equal{}, &Feed::compute));
      for (Feed const& feed : feeds) {
        ComputeCells const cells = grid.compute(feed.compute);
        EXPECT_EQ(feed.side == Side::first ? cells.first : cells.second, cell);
      }
    }
  }
}

TEST(CellGrid, shifts_bring_a_neighbour_beside_the_cell) {
  for (MeltSettings const& settings : all_settings()) {
    CellGrid const grid{settings};
    Vector3 const sides = grid.cell_sides();
    std::map<int, Vector3> centres;
    for (double x = sides[0] / 2; x < grid.box()[0]; x += sides[0]) {
      for (double y = sides[1] / 2; y < grid.box()[1]; y += sides[1]) {
        for (double z = sides[2] / 2; z < grid.box()[2]; z += sides[2]) {
          centres[grid.cell_of({x, y, z})] = {x, y, z};
        }
      }
    }
    ASSERT_EQ(std::ssize(centres), grid.cells());
    for (int index = 0; index < grid.computes(); ++index) {
      ComputeCells const cells = grid.compute(index);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        double const gap =
            centres[cells.second][axis] + cells.shift[axis] - centres[cells.first][axis];
        EXPECT_LT(std::abs(gap), 1.001 * sides[axis]) << "compute " << index;
      }
    }
  }
}

TEST(CellGrid, directions_lead_there_and_back) {
  CellGrid const grid{{.cells = {3, 4, 7}}};

  for (int direction = 0; direction < direction_count; ++direction) {
    int const there = grid.neighbour(40, direction);
    EXPECT_EQ(grid.direction_to(40, there), direction);
    EXPECT_EQ(grid.neighbour(there, direction_count - 1 - direction), 40);
  }
  EXPECT_EQ(grid.neighbour(40, direction_to_itself), 40);
  EXPECT_THROW((void)grid.direction_to(0, 3), std::out_of_range);
}

TEST(CellGrid, positions_are_wrapped_into_the_box) {
  CellGrid const grid{{}};
  double const side = grid.box()[0];

  EXPECT_EQ(grid.wrapped({side, -1, 0}), (Vector3{0, side - 1, 0}));
  // -1e-20 and the side add up to the side itself.
  EXPECT_EQ(grid.wrapped({-1e-20, 5, side + 2})[0], 0.0);
  EXPECT_EQ(grid.cell_of({0, 0, std::nextafter(side, 0)}), 4);
  EXPECT_EQ(grid.cell_of({std::nextafter(side, 0), 0, 0}), 100);
}

TEST(CellGrid, too_few_cells_are_refused) {
  EXPECT_THROW(CellGrid({.cells = {2, 5, 5}}), InputError);
}

}  // namespace
}  // namespace makespan::melt

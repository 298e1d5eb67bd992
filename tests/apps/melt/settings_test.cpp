// SPDX-License-Identifier: Apache-2.0
// Goal: settings that cannot be worked with are refused, each with its reason; what follows from
// the others is right.
#include "makespan/apps/melt/settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "makespan/base/error.hpp"

namespace makespan::melt {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

void expect_refused(MeltSettings const& settings, std::string const& problem,
                    std::string const& advice) {
  EXPECT_THAT([&] { check(settings); },
              ThrowsMessage<InputError>(AllOf(HasSubstr(problem), HasSubstr(advice))));
}

TEST(MeltSettings, defaults_are_those_of_in_lj) {
  MeltSettings const settings;

  EXPECT_NO_THROW(check(settings));
  EXPECT_EQ(atom_count(settings), 32000);
  EXPECT_NEAR(box_sides(settings)[1], 33.5919, 5e-5);  // as LAMMPS prints it
  EXPECT_EQ(list_reach(settings), 2.8);
}

TEST(MeltSettings, numbers_out_of_range_are_refused) {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  expect_refused({.density = 0}, "density = 0", "0.8442");
  expect_refused({.density = nan}, "density = nan", "above 0");
  expect_refused({.temperature = -1}, "temperature = -1", "at least 0");
  expect_refused({.cutoff = 0}, "cutoff = 0", "2.5");
  expect_refused({.cutoff = std::numeric_limits<double>::infinity()}, "cutoff = inf", "finite");
  expect_refused({.skin = -0.1}, "skin = -0.1", "0.3");
  expect_refused({.time_step = 0}, "time_step = 0", "0.005");
}

TEST(MeltSettings, counts_out_of_range_are_refused) {
  expect_refused({.lattice_cells = {20, 0, 20}}, "lattice_cells along y = 0", "at least 1");
  expect_refused({.lattice_cells = {1000, 1000, 1000}}, "4e+09 atoms", "fewer lattice_cells");
  expect_refused({.lattice_cells = {60, 60, 60}, .density = 1e-6, .cells = {600, 600, 600}},
                 "2.16e+08 cells", "fewer cells");
  expect_refused({.cells = {5, 5, 2}}, "cells along z = 2", "neighbours on two sides");
  expect_refused({.rebuild_steps = 0}, "rebuild_steps = 0", "20");
  expect_refused({.steps = -1}, "steps = -1", "at least 0");
  expect_refused({.steps = steps_max + 1}, "steps = 9007199254740993", "up to 2^53");
  expect_refused({.thermo_steps = 0}, "thermo_steps = 0", "at least 1");
}

TEST(MeltSettings, boxes_that_reach_to_where_no_atoms_are_said_to_be_are_refused) {
  for (double const density : {1e-45, 5e-324}) {
    expect_refused({.density = density}, "density = ", "take a greater density");
  }
  expect_refused({.lattice_cells = {1, 1, 20}, .density = 4.0 / 1e24}, "2e+09 long along z",
                 "at most 1e+09");
  EXPECT_NO_THROW(check({.lattice_cells = {9, 9, 9}, .density = 4.0 / 1e24}));
}

TEST(MeltSettings, cells_thinner_than_the_reach_are_refused) {
  expect_refused({.cells = {5, 12, 5}}, "12 cells along y", "take at most 11");
  expect_refused({.lattice_cells = {20, 20, 5}, .cells = {5, 5, 3}}, "3 cells along z",
                 "take more lattice_cells, since 3 cells need 8.4");
  EXPECT_NO_THROW(check({.cells = {11, 3, 7}}));
}

TEST(MeltSettings, a_cell_has_room_for_more_atoms_than_ever_are_in_it) {
  EXPECT_EQ(cell_atoms_max({}), 4915);  // of 256 on average
  EXPECT_EQ(cell_atoms_max({.lattice_cells = {6, 6, 6}, .cells = {3, 3, 3}}), 670);
  // Thin, a drop may hold all.
  EXPECT_EQ(cell_atoms_max({.density = 0.01}), 32000);
}

TEST(MeltSettings, cube_root_is_right_to_the_last_places) {
  for (double const x : {1e-30, 0.001, 0.3, 1.0, 2.0, 8.0, 27.0, 4 / 0.8442, 1e9, 1e300}) {
    EXPECT_NEAR(cube_root(x) / std::cbrt(x), 1.0, 4.5e-16) << x;
  }
  EXPECT_EQ(cube_root(std::numeric_limits<double>::infinity()),
            std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace makespan::melt

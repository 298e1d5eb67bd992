// SPDX-License-Identifier: Apache-2.0
// Goal: a cell moves its atoms by velocity Verlet, sends those away that left, and is the same in
// whatever order its neighbours' atoms come.
#include "makespan/apps/melt/cell.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "apps/melt/melt_atoms.hpp"
#include "makespan/base/error.hpp"

namespace makespan::melt {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

CellGrid const& grid() {
  static CellGrid const one{small_settings()};
  return one;
}

TEST(Cell, moves_by_velocity_verlet) {
  Kernels const& kernels = Kernels::named("auto");
  Cell cell(grid(), 0, {{.id = 3, .position = {1, 1, 1}, .velocity = {0.5, 0, -1}}});
  ForceContribution contribution{{0}, {ClusterVectors{}}};
  contribution.forces[0].axis[0][0] = 2;
  std::vector<ForceContribution const*> const contributions{&contribution, &contribution};

  cell.set_forces(kernels, contributions);
  cell.kick_and_drift(kernels, 0.25);

  Atom const atom = cell.atoms().at(0);
  EXPECT_EQ(atom.id, 3);
  EXPECT_EQ(atom.velocity, (Vector3{0.5 + 4 * 0.125, 0, -1}));
  EXPECT_EQ(atom.position, (Vector3{1 + 0.25 * 1.0, 1, 0.75}));
  EXPECT_EQ(cell.kinetic_energy(), 1);
  EXPECT_EQ(cell.momentum(), (Vector3{1, 0, -1}));
}

TEST(Cell, arrivals_in_any_order_make_the_same_cell) {
  for (int const size : {0, 1, 7, 9, 40}) {
    auto atoms = loose_atoms(size, grid().cell_sides(), 6);
    Cell const expected(grid(), 0, atoms);
    std::ranges::shuffle(atoms, std::mt19937_64{7});
    auto const half = std::ssize(atoms) / 2;

    Cell cell(grid(), 0, {atoms.begin(), atoms.begin() + half});
    cell.take_in({atoms.begin() + half, atoms.end()});
    (void)cell.take_leavers(grid());
    cell.settle();

    EXPECT_EQ(cell.atom_count(), size);
    EXPECT_EQ(cell.atoms(), expected.atoms());
    EXPECT_EQ(cell.forces().size(), cell.positions().size());
  }
}

TEST(Cell, leavers_go_where_they_are) {
  // Cells are 3.36 thick: out to the left (around the box), to the right, not at all.
  Cell cell(grid(), 0,
            {{.id = 0, .position = {-0.5, 1, 1}},
             {.id = 1, .position = {1, 1, 3.5}},
             {.id = 2, .position = {3, 3, 3}}});

  Leavers const leavers = cell.take_leavers(grid());
  cell.settle();

  EXPECT_EQ(cell.atom_count(), 1);
  EXPECT_EQ(cell.atoms().at(0).id, 2);
  int const left = (0 * 3 + 1) * 3 + 1;
  int const up = (1 * 3 + 1) * 3 + 2;
  ASSERT_EQ(leavers[left].size(), 1U);
  EXPECT_EQ(leavers[left][0].position[0], grid().box()[0] - 0.5);
  ASSERT_EQ(leavers[up].size(), 1U);
  EXPECT_EQ(leavers[up][0].id, 1);
  EXPECT_TRUE(leavers[direction_to_itself].empty());
}

TEST(Cell, forces_on_clusters_that_it_has_not_are_refused) {
  Cell cell(grid(), 0, {{.id = 3, .position = {1, 1, 1}}});
  for (ForceContribution const& bad :
       {ForceContribution{{1'000'000}, {}}, ForceContribution{{1}, {ClusterVectors{}}},
        ForceContribution{{-1}, {ClusterVectors{}}}, ForceContribution{{0}, {}}}) {
    std::vector<ForceContribution const*> const contributions{&bad};
    EXPECT_THAT([&] { cell.set_forces(Kernels::named("auto"), contributions); },
                ThrowsMessage<InputError>(HasSubstr("(the cell has 1, which")));
  }
}

TEST(Cell, of_another_grid_has_no_leavers) {
  CellGrid const wide{{}};
  Cell cell(wide, 120, {});
  EXPECT_THAT([&] { (void)cell.take_leavers(grid()); },
              ThrowsMessage<InputError>(HasSubstr("cell 120, ")));
}

TEST(Cell, atoms_that_are_nowhere_are_told) {
  CellGrid const wide{{}};
  for (double const x : {std::numeric_limits<double>::quiet_NaN(), 1e30, -1e30}) {
    Cell cell(wide, 0, {{.id = 9, .position = {x, 1, 1}}});
    EXPECT_THAT([&] { (void)cell.take_leavers(wide); },
                ThrowsMessage<InputError>(HasSubstr("atom 9 left cell 0 and its neighbours")));
  }
}

TEST(Cell, atoms_that_went_too_far_are_told) {
  CellGrid const wide{{}};
  Cell cell(wide, 0, {{.id = 9, .position = {15, 1, 1}}});

  EXPECT_THAT([&] { (void)cell.take_leavers(wide); },
              ThrowsMessage<InputError>(HasSubstr("atom 9 left cell 0 and its neighbours")));
}

}  // namespace
}  // namespace makespan::melt

// SPDX-License-Identifier: Apache-2.0
// Goal: each atom is in the cell that it lies in, and in no other. Method: the lattice, and a box
// with empty cells.
#include "makespan/apps/melt/filled_cells.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "makespan/apps/melt/lattice.hpp"

namespace makespan::melt {
namespace {

TEST(FilledCells, hold_each_atom_once_where_it_lies) {
  MeltSettings const settings{.lattice_cells = {6, 6, 6}, .cells = {3, 3, 3}};
  CellGrid const grid(settings);

  auto const cells = filled_cells(grid, initial_atoms(settings));

  ASSERT_EQ(std::ssize(cells), 27);
  std::vector<std::int64_t> ids;
  for (Cell const& cell : cells) {
    for (Atom const& atom : cell.atoms()) {
      EXPECT_EQ(grid.cell_of(grid.wrapped(atom.position)), cell.index());
      ids.push_back(atom.id);
    }
  }
  std::ranges::sort(ids);
  ASSERT_EQ(std::ssize(ids), atom_count(settings));
  for (std::size_t at = 0; at < ids.size(); ++at) {
    EXPECT_EQ(ids[at], static_cast<std::int64_t>(at));
  }
}

TEST(FilledCells, may_be_empty) {
  CellGrid const grid({.lattice_cells = {6, 6, 6}, .cells = {3, 3, 3}});

  for (Cell const& cell : filled_cells(grid, {})) EXPECT_EQ(cell.atom_count(), 0);
}

}  // namespace
}  // namespace makespan::melt

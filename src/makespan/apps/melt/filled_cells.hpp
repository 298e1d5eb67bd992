// SPDX-License-Identifier: Apache-2.0
// Atoms, each in the cell that it lies in.
#pragma once

#include <span>
#include <vector>

#include "makespan/apps/melt/atom.hpp"
#include "makespan/apps/melt/cell.hpp"
#include "makespan/apps/melt/cell_grid.hpp"

namespace makespan::melt {

// What lies in each cell of the grid, by index; some may have no atoms. Tested by
// tests/apps/melt/filled_cells_test.cpp.
std::vector<std::vector<Atom>> atoms_by_cell(CellGrid const& grid, std::span<Atom const> atoms);
// The cells with these.
std::vector<Cell> filled_cells(CellGrid const& grid, std::span<Atom const> atoms);

}  // namespace makespan::melt

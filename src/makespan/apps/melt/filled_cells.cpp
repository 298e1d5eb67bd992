// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/melt/filled_cells.hpp"

#include <cstddef>
#include <utility>

namespace makespan::melt {

std::vector<std::vector<Atom>> atoms_by_cell(CellGrid const& grid, std::span<Atom const> atoms) {
  std::vector<std::vector<Atom>> shares(static_cast<std::size_t>(grid.cells()));
  for (Atom const& atom : atoms) {
    shares[static_cast<std::size_t>(grid.cell_of(atom.position))].push_back(atom);
  }
  return shares;
}

std::vector<Cell> filled_cells(CellGrid const& grid, std::span<Atom const> atoms) {
  std::vector<std::vector<Atom>> shares = atoms_by_cell(grid, atoms);
  std::vector<Cell> cells;
  cells.reserve(shares.size());
  for (int index = 0; index < grid.cells(); ++index) {
    cells.emplace_back(grid, index, std::move(shares[static_cast<std::size_t>(index)]));
  }
  return cells;
}

}  // namespace makespan::melt

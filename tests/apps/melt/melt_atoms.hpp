// SPDX-License-Identifier: Apache-2.0
#pragma once

// Small melts and loose atoms for tests.

#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <vector>

#include "makespan/apps/melt/cell_grid.hpp"
#include "makespan/apps/melt/settings.hpp"

namespace makespan::melt {

// 864 atoms in 3 x 3 x 3 cells, which are just thick enough.
inline MeltSettings small_settings() {
  return {.lattice_cells = {6, 6, 6}, .cells = {3, 3, 3}, .steps = 10, .thermo_steps = 5};
}

// So many atoms at random in a box from the origin, ids from 0, none nearer to another than 0.7,
// where forces would be too large to compare.
inline std::vector<Atom> loose_atoms(int count, Vector3 const& sides, std::uint64_t seed) {
  std::mt19937_64 random{seed};
  auto const uniform = [&random] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  std::vector<Atom> atoms;
  while (std::ssize(atoms) < count) {
    Atom atom{.id = std::ssize(atoms)};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      atom.position[axis] = sides[axis] * uniform();
      atom.velocity[axis] = uniform() - 0.5;
    }
    bool free = true;
    for (Atom const& other : atoms) {
      double square = 0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        double const gap = atom.position[axis] - other.position[axis];
        square += gap * gap;
      }
      free = free && square > 0.49;
    }
    if (free) atoms.push_back(atom);
  }
  return atoms;
}

// The same bytes, for values without padding.
template <class T>
bool same_bits(std::vector<T> const& a, std::vector<T> const& b) {
  if (a.size() != b.size()) return false;
  return a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

}  // namespace makespan::melt

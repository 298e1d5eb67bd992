// SPDX-License-Identifier: Apache-2.0
// Goal: the hash of a melt changes with any bit of any atom, and with nothing else.
#include "makespan/apps/melt/atoms_hash.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "makespan/apps/melt/lattice.hpp"
#include "makespan/apps/melt/settings.hpp"

namespace makespan::melt {
namespace {

std::vector<Atom> some_atoms() {
  return initial_atoms({.lattice_cells = {2, 2, 2}});
}

TEST(AtomsHash, Of_no_atoms_is_0) {
  EXPECT_EQ(atoms_hash({}), 0U);
}

TEST(AtomsHash, Does_not_depend_on_order_or_parts) {
  std::vector<Atom> atoms = some_atoms();
  std::uint64_t const whole = atoms_hash(atoms);
  std::ranges::reverse(atoms);
  std::span const reversed(atoms);

  EXPECT_EQ(atoms_hash(reversed), whole);
  EXPECT_EQ(atoms_hash(reversed.first(5)) + atoms_hash(reversed.subspan(5)), whole);
}

TEST(AtomsHash, Changes_with_the_last_bit_of_anything) {
  std::vector<Atom> const atoms = some_atoms();
  std::uint64_t const whole = atoms_hash(atoms);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::vector<Atom> moved = atoms;
    moved[7].position[axis] = std::nextafter(moved[7].position[axis], 100.0);
    std::vector<Atom> pushed = atoms;
    pushed[7].velocity[axis] = std::nextafter(pushed[7].velocity[axis], 100.0);

    EXPECT_NE(atoms_hash(moved), whole);
    EXPECT_NE(atoms_hash(pushed), whole);
  }
  std::vector<Atom> swapped = atoms;
  std::swap(swapped[0].id, swapped[1].id);
  EXPECT_NE(atoms_hash(swapped), whole);
}

}  // namespace
}  // namespace makespan::melt

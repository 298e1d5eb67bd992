// SPDX-License-Identifier: Apache-2.0
// Goal: the digest of atoms changes with any bit of any of them, and with nothing else.
#include "makespan/apps/melt/atoms_digest.hpp"

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

TEST(AtomsDigest, Of_no_atoms_is_0) {
  EXPECT_EQ(atoms_digest({}), Digest{});
}

TEST(AtomsDigest, Does_not_depend_on_order_or_parts) {
  std::vector<Atom> atoms = some_atoms();
  Digest const whole = atoms_digest(atoms);
  std::ranges::reverse(atoms);
  std::span const reversed(atoms);

  EXPECT_EQ(atoms_digest(reversed), whole);
  Digest sum = atoms_digest(reversed.first(5));
  sum += atoms_digest(reversed.subspan(5));
  EXPECT_EQ(sum, whole);
}

TEST(AtomsDigest, Changes_with_the_last_bit_of_anything) {
  std::vector<Atom> const atoms = some_atoms();
  Digest const whole = atoms_digest(atoms);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::vector<Atom> moved = atoms;
    moved[7].position[axis] = std::nextafter(moved[7].position[axis], 100.0);
    std::vector<Atom> pushed = atoms;
    pushed[7].velocity[axis] = std::nextafter(pushed[7].velocity[axis], 100.0);

    EXPECT_NE(atoms_digest(moved), whole);
    EXPECT_NE(atoms_digest(pushed), whole);
  }
}

TEST(AtomsDigest, Changes_when_atoms_or_axes_change_places) {
  std::vector<Atom> const atoms = some_atoms();
  Digest const whole = atoms_digest(atoms);
  std::vector<Atom> renamed = atoms;
  std::swap(renamed[0].id, renamed[1].id);
  EXPECT_NE(atoms_digest(renamed), whole);
  std::vector<Atom> turned = atoms;
  std::swap(turned[7].velocity[0], turned[7].velocity[1]);
  EXPECT_NE(atoms_digest(turned), whole);
}

}  // namespace
}  // namespace makespan::melt

// SPDX-License-Identifier: Apache-2.0
// Goal: a melt starts on a face-centred crystal, at rest as a whole, at its temperature exactly,
// with velocities that depend on seed and id only.
#include "makespan/apps/melt/lattice.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace makespan::melt {
namespace {

TEST(Lattice, atoms_have_12_neighbours_at_the_distance_of_the_crystal) {
  MeltSettings const settings{.lattice_cells = {4, 4, 4}};
  auto const atoms = initial_atoms(settings);
  ASSERT_EQ(atoms.size(), 256U);

  double const nearest = lattice_constant(settings.density) / std::sqrt(2.0);
  int neighbours = 0;
  for (Atom const& atom : atoms) {
    double square = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      double const side = box_sides(settings)[axis];
      double const gap = std::remainder(atom.position[axis] - atoms[100].position[axis], side);
      square += gap * gap;
    }
    EXPECT_TRUE(atom.id == 100 || std::sqrt(square) > nearest - 1e-12);
    neighbours += atom.id != 100 && std::sqrt(square) < nearest + 1e-12 ? 1 : 0;
  }
  EXPECT_EQ(neighbours, 12);
}

TEST(Lattice, a_melt_is_at_rest_and_at_its_temperature) {
  MeltSettings const settings;
  auto const atoms = initial_atoms(settings);

  Vector3 momentum{};
  double squares = 0;
  for (Atom const& atom : atoms) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      momentum[axis] += atom.velocity[axis];
      squares += atom.velocity[axis] * atom.velocity[axis];
    }
  }
  for (double const component : momentum) EXPECT_LT(std::abs(component), 1e-11);
  EXPECT_NEAR(squares / (3 * (32000.0 - 1)), 1.44, 1.44e-13);
}

TEST(Lattice, velocities_are_a_function_of_seed_and_id) {
  MeltSettings const settings{.lattice_cells = {3, 3, 3}};
  MeltSettings other = settings;
  other.seed = 4;

  auto const atoms = initial_atoms(settings);
  EXPECT_EQ(atoms, initial_atoms(settings));
  auto const others = initial_atoms(other);
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    EXPECT_EQ(atoms[i].id, static_cast<std::int64_t>(i));
    EXPECT_EQ(atoms[i].position, others[i].position);
    EXPECT_NE(atoms[i].velocity, others[i].velocity);
  }
}

TEST(Lattice, atoms_that_are_wanted_are_those_of_all) {
  MeltSettings const settings{.lattice_cells = {3, 4, 3}};
  auto const all = initial_atoms(settings);
  auto const is_left = [](Vector3 const& position) { return position[0] < 2.5; };

  auto const left = initial_atoms(settings, is_left);
  auto const right =
      initial_atoms(settings, [&](Vector3 const& position) { return !is_left(position); });

  EXPECT_FALSE(left.empty());
  EXPECT_FALSE(right.empty());
  ASSERT_EQ(left.size() + right.size(), all.size());
  for (auto const* const part : {&left, &right}) {
    for (Atom const& atom : *part) {
      EXPECT_EQ(atom, all[static_cast<std::size_t>(atom.id)]);
      EXPECT_EQ(is_left(atom.position), part == &left);
    }
  }
  // No room is made for those that are not.
  EXPECT_LT(left.capacity(), all.size());
}

TEST(Lattice, at_temperature_0_nothing_moves) {
  for (Atom const& atom : initial_atoms({.lattice_cells = {3, 3, 3}, .temperature = 0})) {
    for (double const component : atom.velocity) EXPECT_EQ(component, 0.0);
  }
}

}  // namespace
}  // namespace makespan::melt

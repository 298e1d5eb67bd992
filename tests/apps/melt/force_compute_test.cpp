// SPDX-License-Identifier: Apache-2.0
// Goal: forces are those of Lennard-Jones. Oracles: two atoms in closed form, differences of the
// energy, Newton's third law.
#include "makespan/apps/melt/force_compute.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "apps/melt/melt_atoms.hpp"
#include "makespan/base/error.hpp"

namespace makespan::melt {
namespace {

constexpr int beside_along_x = 9;

// Two atoms, in one cell or on both sides of a face.
struct TwoBodies {
  MeltSettings settings;
  CellGrid grid{settings};
  ForceScratch scratch;

  static ClusterSet at(double x) {
    std::vector<Atom> const atoms{{.id = 0, .position = {x, 1, 2}}};
    return clusters_of(atoms);
  }
  ForceCompute run(int index, double distance) {
    ForceCompute compute(grid, settings, index);
    ClusterSet first = at(6);
    ClusterSet second = at(6 + distance);
    if (index == 0) {
      std::vector<Atom> const both{{.id = 0, .position = {6, 1, 2}},
                                   {.id = 1, .position = {6 + distance, 1, 2}}};
      first = second = clusters_of(both);
    }
    Kernels const& kernels = Kernels::named("auto");
    compute.rebuild(kernels, first, second, scratch);
    compute.run(kernels, first.positions, second.positions, Measure::forces_and_sums, scratch);
    return compute;
  }
  // Of the first atom along x: positive is towards the second.
  static double force(ForceCompute const& compute) {
    return compute.forces(Side::first).forces.at(0).axis[0][0];
  }
};

TEST(ForceCompute, two_atoms_at_the_minimum_rest) {
  for (int const index : {0, beside_along_x}) {
    auto const compute = TwoBodies().run(index, std::pow(2.0, 1.0 / 6));

    EXPECT_NEAR(TwoBodies::force(compute), 0, 1e-13);
    EXPECT_NEAR(compute.sums().energy(), -1, 1e-15);
    EXPECT_EQ(compute.sums().pairs, 1);
  }
}

TEST(ForceCompute, force_is_the_slope_of_the_energy) {
  for (int const index : {0, beside_along_x}) {
    for (double const distance : {0.9, 1.0, 1.2, 1.7, 2.4}) {
      double const h = 1e-5;
      auto const energy = [index](double at) { return TwoBodies().run(index, at).sums().energy(); };
      // Richardson's central difference: its error is of order h^4.
      double const narrow = (energy(distance + h) - energy(distance - h)) / (2 * h);
      double const wide = (energy(distance + 2 * h) - energy(distance - 2 * h)) / (4 * h);
      double const slope = (4 * narrow - wide) / 3;

      auto const compute = TwoBodies().run(index, distance);

      EXPECT_NEAR(TwoBodies::force(compute), slope, 1e-9 * std::max(1.0, std::abs(slope)));
      EXPECT_NEAR(compute.sums().virial(), -slope * distance,
                  1e-9 * std::max(1.0, std::abs(slope)));
    }
  }
}

TEST(ForceCompute, pairs_at_the_cutoff_have_no_force) {
  for (int const index : {0, beside_along_x}) {
    EXPECT_NE(TwoBodies::force(TwoBodies().run(index, 2.499999)), 0);
    EXPECT_EQ(TwoBodies::force(TwoBodies().run(index, 2.5)), 0);
    EXPECT_EQ(TwoBodies().run(index, 2.75).rows(), index == 0 ? 2 : 1);
    EXPECT_EQ(TwoBodies().run(index, 2.85).rows(), index == 0 ? 2 : 0);
  }
}

TEST(ForceCompute, positions_of_another_rebuild_are_refused) {
  TwoBodies bodies;
  auto compute = bodies.run(beside_along_x, 1);

  EXPECT_THROW(compute.run(Kernels::named("auto"), TwoBodies::at(6).positions, {}, Measure::forces,
                           bodies.scratch),
               InputError);
}

TEST(ForceCompute, what_is_far_apart_gets_no_contribution) {
  auto const compute = TwoBodies().run(beside_along_x, 3);

  EXPECT_TRUE(compute.forces(Side::first).clusters.empty());
  EXPECT_TRUE(compute.forces(Side::second).clusters.empty());
}

TEST(ForceCompute, forces_of_a_compute_sum_to_nothing) {
  MeltSettings const settings;
  CellGrid const grid{settings};
  auto atoms = loose_atoms(200, grid.cell_sides(), 5);
  put_in_cluster_order(atoms, grid.cell_sides());
  ClusterSet const first = clusters_of(atoms);
  for (Atom& atom : atoms) atom.position[0] += grid.cell_sides()[0];
  ClusterSet const second = clusters_of(atoms);
  ForceScratch scratch;
  for (int const index : {0, beside_along_x}) {
    ForceCompute compute(grid, settings, index);
    compute.rebuild(Kernels::named("auto"), first, second, scratch);
    compute.run(Kernels::named("auto"), first.positions, second.positions, Measure::forces,
                scratch);

    for (std::size_t axis = 0; axis < 3; ++axis) {
      double sum = 0;
      double sizes = 0;
      for (Side const side : {Side::first, Side::second}) {
        for (ClusterVectors const& forces : compute.forces(side).forces) {
          for (double const force : forces.axis[axis]) {
            sum += force;
            sizes += std::abs(force);
          }
        }
      }
      EXPECT_GT(sizes, 100);
      EXPECT_LE(std::abs(sum), 1e-12 * sizes);
    }
  }
}

// Values in the order in which they are archived, as the archives of cereal see them.
struct Tape {
  std::vector<double> values;

  template <class... Parts>
  void operator()(Parts&... parts) {
    (put(parts), ...);
  }
  template <class Part>
  void put(Part& part) {
    if constexpr (requires { part.serialize(*this); }) {
      part.serialize(*this);
    } else if constexpr (requires { part.begin(); }) {
      for (auto& element : part) put(element);
    } else {
      values.push_back(static_cast<double>(part));
    }
  }
};

TEST(ForceCompute, all_that_it_is_travels) {
  auto compute = TwoBodies().run(beside_along_x, 1);
  Tape tape;

  compute.serialize(tape);

  // Cells 0 and 25 of 5 × 5 × 5; no shift; cutoff and reach; one cluster each; one entry of one row
  EXPECT_EQ(tape.values, (std::vector<double>{0, 25, 0, 0, 0, 2.5, 2.8, 0, 0, 0, 0, 1, 0}));
}

}  // namespace
}  // namespace makespan::melt

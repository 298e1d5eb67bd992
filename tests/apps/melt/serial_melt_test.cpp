// SPDX-License-Identifier: Apache-2.0
// Goal: a melt does what LAMMPS's does, and what physics conserves is conserved; every instruction
// set gives the same bits. Bounds of step 100: five seeds of another program and LAMMPS's own lie
// within half of them.
#include "makespan/apps/melt/serial_melt.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "apps/melt/melt_atoms.hpp"
#include "test_size.hpp"

namespace makespan::melt {
namespace {

TEST(SerialMelt, step_100_is_as_published) {
  if (is_small_build) GTEST_SKIP() << "100 steps of 32000 atoms take minutes in this build";
  SerialMelt melt({}, Kernels::named("auto"));

  auto const lines = melt.run();

  ASSERT_EQ(lines.size(), 2U);
  Thermo const& last = lines.back();
  EXPECT_EQ(last.step, 100);
  EXPECT_NEAR(last.temperature, 0.7575, 0.012);
  EXPECT_NEAR(last.pair_energy, -5.7585, 0.018);
  EXPECT_NEAR(last.total_energy, -4.6224, 0.0005);
  EXPECT_NEAR(last.pressure, 0.207, 0.10);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double momentum = 0;
    for (Cell const& cell : melt.cells()) momentum += cell.momentum()[axis];
    EXPECT_LE(std::abs(momentum), 1e-11);
  }
  EXPECT_NEAR(static_cast<double>(melt.pairs_closer_than(2.8)), 1'202'000, 2000);
}

TEST(SerialMelt, shifted_energy_is_conserved) {
  std::int64_t const steps = is_small_build ? 100 : 1000;
  SerialMelt melt(
      {.lattice_cells = {10, 10, 10}, .cells = {3, 3, 3}, .steps = steps, .thermo_steps = 100},
      Kernels::named("auto"));

  auto const lines = melt.run();

  ASSERT_EQ(std::ssize(lines), 1 + steps / 100);
  double const begin = lines.front().shifted_energy;
  for (Thermo const& line : lines) {
    EXPECT_LE(std::abs(line.shifted_energy / begin - 1), 1e-4) << "step " << line.step;
  }
}

// The largest error of the energy while the crystal breaks up.
double largest_error(double time_step, std::int64_t steps) {
  MeltSettings settings = small_settings();
  settings.time_step = time_step;
  settings.steps = steps;
  settings.thermo_steps = 1;
  auto const lines = SerialMelt(settings, Kernels::named("auto")).run();
  double largest = 0;
  for (Thermo const& line : lines) {
    double const error = std::abs(line.shifted_energy / lines.front().shifted_energy - 1);
    largest = std::max(largest, error);
  }
  return largest;
}

TEST(SerialMelt, errors_are_of_second_order) {
  EXPECT_NEAR(largest_error(0.004, 20) / largest_error(0.002, 40), 4, 0.2);
}

TEST(SerialMelt, no_atom_is_lost_or_doubled) {
  SerialMelt melt(
      {.lattice_cells = {8, 6, 6}, .temperature = 3, .cells = {4, 3, 3}, .rebuild_steps = 10},
      Kernels::named("auto"));
  std::int64_t moved = 0;
  std::vector<std::int64_t> before;
  for (Cell const& cell : melt.cells()) before.push_back(cell.atom_count());
  for (int rebuild = 0; rebuild < (is_small_build ? 2 : 20); ++rebuild) {
    for (int step = 0; step < 10; ++step) melt.step(Measure::forces);

    auto const atoms = melt.atoms();
    ASSERT_EQ(atoms.size(), 1152U);
    for (std::size_t i = 0; i < atoms.size(); ++i) {
      ASSERT_EQ(atoms[i].id, static_cast<std::int64_t>(i));
    }
    for (std::size_t i = 0; i < before.size(); ++i) {
      moved += std::abs(melt.cells()[i].atom_count() - before[i]);
    }
  }
  EXPECT_GT(moved, 0);
}

TEST(SerialMelt, every_instruction_set_gives_the_same_bits) {
  MeltSettings settings = small_settings();
  settings.steps = is_small_build ? 22 : 60;
  SerialMelt expected(settings, *Kernels::available().back());
  auto const lines = expected.run();
  for (Kernels const* kernels : Kernels::available()) {
    SerialMelt melt(settings, *kernels);
    auto const own = melt.run();

    EXPECT_TRUE(same_bits(melt.atoms(), expected.atoms())) << kernels->isa;
    EXPECT_TRUE(same_bits(own, lines)) << kernels->isa;
  }
}

TEST(SerialMelt, forces_are_the_same_whether_lists_are_new_or_not) {
  // Two melts that differ in when they rebuild have the same pairs, added in another order.
  MeltSettings often = small_settings();
  often.rebuild_steps = 5;
  SerialMelt a(often, Kernels::named("auto"));
  SerialMelt b(small_settings(), Kernels::named("auto"));
  for (int step = 0; step < 19; ++step) {
    a.step(Measure::forces);
    b.step(Measure::forces);
  }

  auto const left = a.atoms();
  auto const right = b.atoms();
  for (std::size_t i = 0; i < left.size(); ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      // One of them may have been wrapped.
      double const gap =
          std::remainder(left[i].position[axis] - right[i].position[axis], box_sides(often)[axis]);
      EXPECT_NEAR(gap, 0, 1e-11);
    }
  }
}

TEST(SerialMelt, computes_have_the_rows_of_their_kind) {
  SerialMelt const melt({}, Kernels::named("auto"));

  // LeanMD's imbalance without made-up work: within a cell, through a face, an edge, a corner.
  auto const rows = [&melt](int k) { return melt.computes()[static_cast<std::size_t>(k)].rows(); };
  int const face = 9;
  int const edge = 10;
  int const corner = 13;
  EXPECT_GT(rows(0), rows(face));
  EXPECT_GT(rows(face), 2 * rows(edge));
  EXPECT_GT(rows(edge), 2 * rows(corner));
}

}  // namespace
}  // namespace makespan::melt

// SPDX-License-Identifier: Apache-2.0
// Goal: the figures of step 0 are those that LAMMPS publishes, to all digits that it prints.
// Source: LAMMPS, bench/log.6Oct16.lj.fixed.icc.1 (temperature 1.44) and examples/melt's log of 27
// April 2010 (temperature 3).
#include "makespan/apps/melt/thermo.hpp"

#include <gtest/gtest.h>

#include "makespan/apps/melt/serial_melt.hpp"

namespace makespan::melt {
namespace {

TEST(Thermo, step_0_is_as_published) {
  SerialMelt const melt({}, Kernels::named("auto"));
  Thermo const thermo = melt.thermo();

  EXPECT_EQ(thermo.step, 0);
  EXPECT_NEAR(thermo.temperature, 1.44, 1e-13);
  EXPECT_NEAR(thermo.pair_energy, -6.7733681, 5e-8);
  EXPECT_NEAR(thermo.total_energy, -4.6134356, 5e-8);
  EXPECT_NEAR(thermo.pressure, -5.0197073, 5e-8);
  EXPECT_EQ(melt.pairs_closer_than(2.8), 1'248'000);  // 39 for each atom
}

TEST(Thermo, step_0_at_temperature_3_is_as_published) {
  SerialMelt const melt({.temperature = 3}, Kernels::named("auto"));

  EXPECT_NEAR(melt.thermo().total_energy, -2.2735087, 5e-8);
  EXPECT_NEAR(melt.thermo().pressure, -3.7027964, 5e-8);
}

TEST(Thermo, step_0_of_4000_atoms_is_as_published) {
  SerialMelt const melt({.lattice_cells = {10, 10, 10}, .temperature = 3, .cells = {3, 4, 5}},
                        Kernels::named("auto"));

  EXPECT_NEAR(melt.thermo().total_energy, -2.2744931, 5e-8);
  EXPECT_NEAR(melt.thermo().pressure, -3.7033504, 5e-8);
}

TEST(Thermo, shifted_energies_are_0_at_the_cutoff) {
  EXPECT_NEAR(cutoff_energy(1), 0, 1e-15);
  EXPECT_NEAR(cutoff_energy(2.5), -0.016316891136, 1e-12);
  MeltSettings const settings;
  MeltSums const sums{
      .kinetic = 0,
      .pairs = {.inverse_12 = 0, .inverse_6 = -8000 * cutoff_energy(2.5), .pairs = 32000}};

  EXPECT_NEAR(thermo_of(settings, 1, sums).shifted_energy, 0, 1e-15);
}

TEST(Thermo, without_pairs_nothing_is_shifted_however_small_the_cutoff) {
  MeltSums const sums{.kinetic = 48000, .pairs = {}};

  for (double const cutoff : {2.5, 1e-26, 1e-300}) {
    Thermo const thermo = thermo_of({.cutoff = cutoff}, 1, sums);
    EXPECT_EQ(thermo.shifted_energy, thermo.total_energy) << cutoff;
  }
}

}  // namespace
}  // namespace makespan::melt

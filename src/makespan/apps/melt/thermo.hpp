// SPDX-License-Identifier: Apache-2.0
// What a melt is like as a whole: temperature, energies, pressure, in Lennard-Jones units.
#pragma once

#include <cstdint>

#include "makespan/apps/melt/kernels.hpp"
#include "makespan/apps/melt/settings.hpp"

namespace makespan::melt {

// Sums over all cells and computes. They are taken in the order of cells and of computes, so that
// they have the same bits, whichever image had which cells.
struct MeltSums {
  double kinetic = 0;  // v²/2 over atoms
  PairSums pairs;

  MeltSums& operator+=(MeltSums const& other);
};

struct Thermo {
  std::int64_t step = 0;
  double temperature = 0;     // with 3 (N - 1) degrees of freedom
  double pair_energy = 0;     // an atom
  double total_energy = 0;    // an atom
  double pressure = 0;        // density · temperature · (N - 1) / N + virial / (3 volume)
  double shifted_energy = 0;  // total_energy with pair energies 0 at the cutoff: what is conserved,
                              // since pairs that cross it then bring or take nothing
};

// As LAMMPS defines them for units lj with thermo_modify norm yes.
// Tested by tests/apps/melt/thermo_test.cpp against its published log.
Thermo thermo_of(MeltSettings const& settings, std::int64_t step, MeltSums const& sums);

// The pair energy at the cutoff.
double cutoff_energy(double cutoff);

}  // namespace makespan::melt

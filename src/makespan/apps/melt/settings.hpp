// SPDX-License-Identifier: Apache-2.0
// What a melt is made of: Lennard-Jones atoms that start on a crystal's places, hot enough to melt.
//
// All numbers are in Lennard-Jones units: lengths in σ, energies in ε, masses in that of an atom,
// temperatures in ε/k, times in σ√(m/ε). The defaults are those of LAMMPS's bench in.lj, whose
// results are published (log.6Oct16.lj.fixed.icc.1), cut into the 125 cells and 1750 computes of
// LeanMD.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace makespan::melt {

// x, y, z.
using Vector3 = std::array<double, 3>;
using Counts3 = std::array<int, 3>;

// Doubles hold so many exactly, and sums of a few do not run over.
inline constexpr std::int64_t steps_max = std::int64_t{1} << 53;

struct MeltSettings {
  Counts3 lattice_cells{20, 20, 20};  // of the face-centred cubic crystal, 4 atoms each; >= 1
  double density = 0.8442;            // atoms per volume; above 0, the box at most 1e9 long
  double temperature = 1.44;          // of the first step, exactly; at least 0
  double cutoff = 2.5;                // pairs from here on have no force; above 0
  double skin = 0.3;                  // lists hold pairs up to cutoff + skin; at least 0
  double time_step = 0.005;           // above 0
  Counts3 cells{5, 5, 5};           // into which the box is cut; >= 3, none thinner than the reach
  int rebuild_steps = 20;           // atoms change cells, and lists are made anew, so often; >= 1
  std::int64_t steps = 100;         // 0 … steps_max
  std::int64_t thermo_steps = 100;  // energies are taken so often, and at both ends; >= 1
  std::uint64_t seed = 87287;       // of the velocities
};

// Throws InputError for the first setting that cannot be worked with.
// Tested by tests/apps/melt/settings_test.cpp.
void check(MeltSettings const& settings);

// Throws InputError for a number of steps above steps_max.
void check_steps(std::string_view name, std::int64_t steps);

std::int64_t atom_count(MeltSettings const& settings);

// How many atoms a cell has at most: all, or what fills it at 16 times the melt's density, or 16
// times that of a liquid if it is thinner, and 64. Atoms that repel each other are never so close;
// it bounds the memory that lists of pairs are made in.
std::int64_t cell_atoms_max(MeltSettings const& settings);

// The sides of the periodic box.
Vector3 box_sides(MeltSettings const& settings);

// Up to which distance lists hold pairs.
inline double list_reach(MeltSettings const& settings) {
  return settings.cutoff + settings.skin;
}

// The side of one cell of the crystal: ∛(4 / density).
double lattice_constant(double density);

// The cube root of a positive number, to its last place or the one before. Not the C library's,
// which may differ from machine to machine.
double cube_root(double x);

}  // namespace makespan::melt

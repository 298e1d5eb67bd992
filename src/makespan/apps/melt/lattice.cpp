// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/melt/lattice.hpp"

#include <cmath>
#include <cstddef>

#include "makespan/simd/philox.hpp"

namespace makespan::melt {
namespace {

// The four atoms of a face-centred cube, in its sides.
constexpr std::array<Vector3, 4> corners{{{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}}};

std::vector<Atom> placed_atoms(MeltSettings const& settings) {
  double const constant = lattice_constant(settings.density);
  auto const [nx, ny, nz] = settings.lattice_cells;
  std::vector<Atom> atoms;
  atoms.reserve(static_cast<std::size_t>(atom_count(settings)));
  for (int x = 0; x < nx; ++x) {
    for (int y = 0; y < ny; ++y) {
      for (int z = 0; z < nz; ++z) {
        for (auto const& [dx, dy, dz] : corners) {
          atoms.push_back(
              {.id = static_cast<std::int64_t>(atoms.size()),
               .position = {(x + dx) * constant, (y + dy) * constant, (z + dz) * constant}});
        }
      }
    }
  }
  return atoms;
}

using Whole3 = std::array<std::int64_t, 3>;

// Three whole numbers of 32 bits, a function of seed and id.
Whole3 drawn_velocity(std::uint64_t seed, std::int64_t id) {
  auto const bits = static_cast<std::uint64_t>(id);
  auto const words = simd::philox(
      {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32), 0, 0}, seed);
  Whole3 drawn{};
  for (std::size_t axis = 0; axis < 3; ++axis) drawn[axis] = static_cast<std::int32_t>(words[axis]);
  return drawn;
}

// Velocities, up to a factor, of sum 0: N times what was drawn less the sum of all. In whole
// numbers, since the rounding of a mean would be the same for all atoms, and add up.
void set_velocities(std::uint64_t seed, std::vector<Atom>& atoms) {
  Whole3 sum{};
  for (Atom const& atom : atoms) {
    Whole3 const drawn = drawn_velocity(seed, atom.id);
    for (std::size_t axis = 0; axis < 3; ++axis) sum[axis] += drawn[axis];
  }
  for (Atom& atom : atoms) {
    Whole3 const drawn = drawn_velocity(seed, atom.id);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::int64_t const times = std::ssize(atoms) * drawn[axis] - sum[axis];
      atom.velocity[axis] = static_cast<double>(times) * 0x1p-32;
    }
  }
}

void scale_to(std::vector<Atom>& atoms, double temperature) {
  double squares = 0;
  for (Atom const& atom : atoms) {
    for (double const component : atom.velocity) squares += component * component;
  }
  // Three degrees of freedom are not there: the momentum is 0.
  double const wanted = 3 * (static_cast<double>(atoms.size()) - 1) * temperature;
  double const factor = std::sqrt(wanted / squares);
  for (Atom& atom : atoms) {
    for (double& component : atom.velocity) component *= factor;
  }
}

}  // namespace

std::vector<Atom> initial_atoms(MeltSettings const& settings) {
  std::vector<Atom> atoms = placed_atoms(settings);
  set_velocities(settings.seed, atoms);
  scale_to(atoms, settings.temperature);
  return atoms;
}

}  // namespace makespan::melt

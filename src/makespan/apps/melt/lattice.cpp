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

// Three numbers in [-1/2, 1/2), a function of seed and id.
Vector3 drawn_velocity(std::uint64_t seed, std::int64_t id) {
  auto const bits = static_cast<std::uint64_t>(id);
  auto const words = simd::philox(
      {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32), 0, 0}, seed);
  Vector3 velocity{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    velocity[axis] = static_cast<double>(static_cast<std::int32_t>(words[axis])) * 0x1p-32;
  }
  return velocity;
}

void remove_momentum(std::vector<Atom>& atoms) {
  Vector3 mean{};
  for (Atom const& atom : atoms) {
    for (std::size_t axis = 0; axis < 3; ++axis) mean[axis] += atom.velocity[axis];
  }
  for (double& component : mean) component /= static_cast<double>(atoms.size());
  for (Atom& atom : atoms) {
    for (std::size_t axis = 0; axis < 3; ++axis) atom.velocity[axis] -= mean[axis];
  }
}

void scale_to(std::vector<Atom>& atoms, double temperature) {
  double squares = 0;
  for (Atom const& atom : atoms) {
    for (double const component : atom.velocity) squares += component * component;
  }
  double const wanted = 3 * (static_cast<double>(atoms.size()) - 1) * temperature;
  double const factor = std::sqrt(wanted / squares);
  for (Atom& atom : atoms) {
    for (double& component : atom.velocity) component *= factor;
  }
}

}  // namespace

std::vector<Atom> initial_atoms(MeltSettings const& settings) {
  std::vector<Atom> atoms = placed_atoms(settings);
  for (Atom& atom : atoms) atom.velocity = drawn_velocity(settings.seed, atom.id);
  remove_momentum(atoms);
  remove_momentum(atoms);  // what the first rounding of the mean left
  scale_to(atoms, settings.temperature);
  return atoms;
}

}  // namespace makespan::melt

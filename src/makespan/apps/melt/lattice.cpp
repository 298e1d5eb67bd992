// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/melt/lattice.hpp"

#include <cmath>
#include <cstddef>

#include "makespan/simd/philox.hpp"

namespace makespan::melt {
namespace {

// The four atoms of a face-centred cube, in its sides.
constexpr std::array<Vector3, 4> corners{{{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}}};

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

// Velocities of all atoms as functions of their ids, which are gone through in order: sums have the
// same bits however many of the atoms are kept.
class DrawnVelocities {
 public:
  explicit DrawnVelocities(MeltSettings const& settings)
      : seed_{settings.seed}, atoms_{atom_count(settings)} {
    for (std::int64_t id = 0; id < atoms_; ++id) {
      Whole3 const drawn = drawn_velocity(seed_, id);
      for (std::size_t axis = 0; axis < 3; ++axis) sum_[axis] += drawn[axis];
    }
    double squares = 0;
    for (std::int64_t id = 0; id < atoms_; ++id) {
      for (double const component : unscaled(id)) squares += component * component;
    }
    // Three degrees of freedom are not there: the momentum is 0.
    double const wanted = 3 * (static_cast<double>(atoms_) - 1) * settings.temperature;
    factor_ = std::sqrt(wanted / squares);
  }

  [[nodiscard]] Vector3 of(std::int64_t id) const {
    Vector3 velocity = unscaled(id);
    for (double& component : velocity) component *= factor_;
    return velocity;
  }

 private:
  // Of sum 0: N times what was drawn less the sum of all. In whole numbers, since the rounding of a
  // mean would be the same for all atoms, and add up.
  [[nodiscard]] Vector3 unscaled(std::int64_t id) const {
    Whole3 const drawn = drawn_velocity(seed_, id);
    Vector3 velocity{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::int64_t const times = atoms_ * drawn[axis] - sum_[axis];
      velocity[axis] = static_cast<double>(times) * 0x1p-32;
    }
    return velocity;
  }

  std::uint64_t seed_;
  std::int64_t atoms_;
  Whole3 sum_{};
  double factor_{};
};

}  // namespace

std::vector<Atom> initial_atoms(MeltSettings const& settings, AtomFilter const& is_wanted) {
  DrawnVelocities const velocities(settings);
  double const constant = lattice_constant(settings.density);
  auto const [nx, ny, nz] = settings.lattice_cells;
  std::vector<Atom> atoms;
  if (!is_wanted) atoms.reserve(static_cast<std::size_t>(atom_count(settings)));
  std::int64_t id = 0;
  for (int x = 0; x < nx; ++x) {
    for (int y = 0; y < ny; ++y) {
      for (int z = 0; z < nz; ++z) {
        for (auto const& [dx, dy, dz] : corners) {
          Vector3 const position{(x + dx) * constant, (y + dy) * constant, (z + dz) * constant};
          if (!is_wanted || is_wanted(position)) {
            atoms.push_back({.id = id, .position = position, .velocity = velocities.of(id)});
          }
          ++id;
        }
      }
    }
  }
  return atoms;
}

}  // namespace makespan::melt

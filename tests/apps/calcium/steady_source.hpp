// SPDX-License-Identifier: Apache-2.0
#pragma once

// A point source with one buffer that moves, until nothing changes; beside its closed form.

#include <cmath>
#include <vector>

#include "apps/calcium/unit_grid.hpp"
#include "makespan/apps/calcium/calcium_unit.hpp"

namespace makespan::calcium {

// An octant of `points` voxels along each axis.
struct SteadySource {
  double spacing{};
  std::int64_t points{};
  double time_step{};
  std::int64_t steps{};
};

// Free calcium above rest [µM], at distances [µm] along the diagonal.
struct Found {
  double r{};
  double rise{};
  double expected{};
};

// Kept at rest on the faces of a cube, whose half side is L: its images, of both signs in turn, are
// those of rock salt, and near the middle they lower what the source makes by that at R =
// 2 L / 1.7475646, the lattice's constant of Madelung.
inline double steady_rise(double amount, double r, double half_side) {
  Buffer const atp = Species{}.atp;
  double const d = Species{}.ca_diffusion;
  double const ca = Species{}.ca_rest;
  double const relaxation = atp.k_on * ca + atp.k_off;
  double const free = atp.total - bound_at_rest(atp, ca);
  double const kappa = atp.k_on * free / relaxation;
  double const total_d = d + kappa * atp.diffusion;
  // Calcium and buffer that are not in equilibrium come to it over this length.
  double const length = std::sqrt(d * atp.diffusion / (relaxation * total_d));
  double const outer = 2 * half_side / 1.7475646;
  return amount / (4 * 3.14159265358979 * total_d) *
         (1 / r - 1 / outer + kappa * atp.diffusion / d * std::exp(-r / length) / r);
}

inline std::vector<Found> steady_source(SteadySource const& source) {
  Buffer const none{};
  double const current_pa = 0.001;
  grid::Point const points{source.points, source.points, source.points};
  CalciumSettings settings{
      .voxels = {.points = points, .spacing = source.spacing},
      .time_step = source.time_step,
      .species = {.cmdn = none, .trpn = none, .fluo = none},
      .geometry = {.layout = Layout::plain},
      .openings = {},
      .currents = {{.voxel = {}, .current_pa = current_pa / 8, .close_ms = 1e6}}};
  CalciumUnit const unit{settings};
  grid::Faces faces{};
  for (std::size_t face = 1; face < grid::face_count; face += 2) {
    faces.kinds[face] = grid::FaceKind::value;
  }
  auto const rest = unit.start_of(Region::cytosol);
  std::vector<grid::FaceValues> values(field_count);
  for (std::size_t field = 0; field < values.size(); ++field) values[field].fill(rest[field]);
  UnitGrid grid{unit, points, faces, {{{}, points}}, values};
  grid.start(unit);
  grid.steps(unit, source.steps);

  std::vector<Found> found;
  double const half_side = (static_cast<double>(source.points) + 0.5) * source.spacing;
  for (std::int64_t i = 0; i < source.points / 3; ++i) {
    double const r = std::sqrt(3.) * (static_cast<double>(i) + 0.5) * source.spacing;
    found.push_back({.r = r,
                     .rise = grid.at(Field::ca, {i, i, i}) - rest[0],
                     .expected = steady_rise(current_pa * amount_per_pa, r, half_side)});
  }
  return found;
}

}  // namespace makespan::calcium

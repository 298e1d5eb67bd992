// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/melt/thermo.hpp"

namespace makespan::melt {

MeltSums& MeltSums::operator+=(MeltSums const& other) {
  kinetic += other.kinetic;
  pairs.inverse_12 += other.pairs.inverse_12;
  pairs.inverse_6 += other.pairs.inverse_6;
  pairs.pairs += other.pairs.pairs;
  return *this;
}

Thermo thermo_of(MeltSettings const& settings, std::int64_t step, MeltSums const& sums) {
  auto const atoms = static_cast<double>(atom_count(settings));
  Vector3 const box = box_sides(settings);
  double const volume = box[0] * box[1] * box[2];
  Thermo thermo{.step = step};
  thermo.temperature = 2 * sums.kinetic / (3 * (atoms - 1));
  thermo.pair_energy = sums.pairs.energy() / atoms;
  thermo.total_energy = thermo.pair_energy + sums.kinetic / atoms;
  thermo.pressure = ((atoms - 1) * thermo.temperature + sums.pairs.virial() / 3) / volume;
  // Of very small cutoffs the energy there is no number, and there are no pairs.
  double const shift =
      sums.pairs.pairs > 0 ? sums.pairs.pairs * cutoff_energy(settings.cutoff) / atoms : 0;
  thermo.shifted_energy = thermo.total_energy - shift;
  return thermo;
}

double cutoff_energy(double cutoff) {
  double const s = 1 / (cutoff * cutoff);
  double const s3 = s * s * s;
  return 4 * s3 * (s3 - 1);
}

}  // namespace makespan::melt

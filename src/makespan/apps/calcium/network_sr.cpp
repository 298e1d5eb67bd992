// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/calcium/network_sr.hpp"

#include <algorithm>
#include <cstddef>

#include "makespan/base/contracts.hpp"

namespace makespan::calcium {

Uptake uptake_beside(CalciumSettings const& settings, double network_sr_ca) {
  // The leak's conductance balances SERCA at rest, beside the calcium that there is at first.
  Uptake const begun = uptake_in(settings);
  if (!settings.pumps.serca) return begun;
  Uptake now = uptake_of(settings.species.serca, network_sr_ca);
  now.leak = begun.leak;
  now.leak_from = network_sr_ca;
  return now;
}

NetworkSrGain network_sr_gain(CalciumSettings const& settings, double network_sr_ca,
                              grid::Box const& box, std::span<double const> ca) {
  MAKESPAN_EXPECT(std::ssize(ca) == box.points());
  VoxelMap const map = voxel_map_of(settings.geometry, settings.voxels);
  Uptake const uptake = uptake_beside(settings, network_sr_ca);
  double const refill = settings.species.refill_rate;
  NetworkSrGain gain;
  std::size_t next = 0;
  for (std::int64_t z = box.begin.z; z < box.end.z; ++z) {
    for (std::int64_t y = box.begin.y; y < box.end.y; ++y) {
      std::uint32_t const row = map.row_number(y, z);
      std::int64_t x = box.begin.x;
      for (RegionRun const& run : map.runs(row)) {
        for (std::int64_t const end = std::min(run.end, box.end.x); x < end; ++x) {
          double const here = ca[next++];
          if (run.region == Region::cytosol) {
            gain.rate += taken_by(uptake, here) - uptake.leak * (uptake.leak_from - here);
          } else if (run.region == Region::jsr) {
            gain.rate -= refill * (network_sr_ca - here);
          }
          // The first three regions are cytosol.
          gain.cytosol_voxels += run.region <= Region::cleft ? 1 : 0;
        }
      }
    }
  }
  return gain;
}

}  // namespace makespan::calcium

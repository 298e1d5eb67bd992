// SPDX-License-Identifier: Apache-2.0
// Grids of few devices whose times can be told by hand.
#pragma once

#include "makespan/sim/grids/grid_simulation.hpp"

namespace makespan::sim {

// A million points a second; packs 8e6 bytes a second.
inline GridDeviceModel plain_device(double speed = 1e6) {
  return {.kind = "cpu", .speed = Speed{speed}, .pack_bandwidth = 8e6};
}

// So many nodes with a device each, in a row, 10 x 10 x 40 points for each; a halo of 100 points
// takes 100 us to pack, as much to unpack, and as much on the network, whose latency is 10 us.
inline GridJob row_of(int nodes) {
  GridJob job{.box = {{}, {10, 10, 40 * nodes}}, .steps = 10, .cut = grid::ImageCut::stack};
  for (int node = 0; node < nodes; ++node) {
    job.images.push_back({.node = node, .devices = {plain_device()}});
  }
  job.network.out = {.latency = Seconds{1e-5}, .bandwidth = 8e6};
  job.network.in = {.bandwidth = 8e6};
  return job;
}

// Of row_of(): the points of a device, and a halo on one of pack, network, unpack.
inline constexpr double sweep_s = 4e-3;
inline constexpr double halo_s = 1e-4;
inline constexpr double latency_s = 1e-5;

inline GridResult simulated(GridJob job, grid::Schedule schedule) {
  job.schedule = schedule;
  return simulate_grid(job);
}

}  // namespace makespan::sim

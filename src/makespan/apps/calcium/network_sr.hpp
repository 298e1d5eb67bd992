// SPDX-License-Identifier: Apache-2.0
#pragma once

// The network SR as one store: SERCA fills it all over the cytosol, the junctional SR and the leak
// empty it, and calcium moves along it so much faster than that (2 µm in 3 ms, against hundreds)
// that it has one concentration. The run of a grid asks from time to time what it gains, and tells
// the unit its concentration.
//
// Tested by tests/apps/calcium/network_sr_test.cpp.

#include <cstdint>
#include <span>

#include "makespan/apps/calcium/settings.hpp"
#include "makespan/grid/cut/box.hpp"

namespace makespan::calcium {

struct NetworkSrGain {
  double rate{};                  // [µM/ms of a voxel], over all of them
  std::int64_t cytosol_voxels{};  // of all kinds, of which its volume is a share
};

// What a network SR of so much calcium gains from the voxels of a box; `ca` is free calcium in
// them, along x first. The same bits wherever it is computed.
[[nodiscard]] NetworkSrGain network_sr_gain(CalciumSettings const& settings, double network_sr_ca,
                                            grid::Box const& box, std::span<double const> ca);

// SERCA beside a network SR that is not as at the beginning: the leak conducts what it did.
[[nodiscard]] Uptake uptake_beside(CalciumSettings const& settings, double network_sr_ca);

}  // namespace makespan::calcium

// SPDX-License-Identifier: Apache-2.0
#pragma once

// All pumps, so strong that a step of them is no less than one of diffusion.

#include "makespan/apps/calcium/settings.hpp"

namespace makespan::calcium {

inline CalciumSettings with_all_pumps(CalciumSettings settings, Geometry const& geometry) {
  settings.geometry = geometry;
  settings.pumps = {.serca = true, .membrane_pump = true, .exchanger = true};
  settings.species.serca.total = 2e4;
  settings.species.membrane.pump_max = 50;
  settings.species.membrane.exchanger_max = 100;
  return settings;
}

}  // namespace makespan::calcium

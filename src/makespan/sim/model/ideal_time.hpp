// SPDX-License-Identifier: Apache-2.0
#pragma once

// What no schedule can beat, but for noise.

#include "makespan/base/quantity.hpp"
#include "makespan/sim/model/machine_model.hpp"

namespace makespan::sim {

// All work over the speeds of all devices together, which change on the way. A device that has
// failed, or whose image is lost, comes back by no later change. Infinite where none is left.
// Tested by tests/sim/model/ideal_time_test.cpp.
[[nodiscard]] Seconds ideal_time(MachineModel const& machine, Work work);

}  // namespace makespan::sim

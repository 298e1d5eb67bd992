// SPDX-License-Identifier: Apache-2.0
// What a worker's speed depends on besides the work and the processor's model, so that a speed
// measured in one run can be used in another.
#pragma once

#include <string>
#include <vector>

#include "makespan/apps/asian/run/pricing_settings.hpp"
#include "makespan/bag/protocol/speed_table.hpp"
#include "makespan/bag/team_layout.hpp"
#include "makespan/base/quantity.hpp"
#include "makespan/machine/device_list.hpp"

namespace makespan::asian {

// By worker: instruction set, how many threads of the device it has, how many cores these have, and
// of which kind. Workers of one kind are expected to be equally fast on processors of one model.
// `specs` with what was not said filled in (devices_of()). Of a GPU: its name. Tested by
// tests/apps/asian/run/worker_kind_test.cpp.
[[nodiscard]] std::vector<std::string> worker_kinds(std::vector<machine::DeviceSpec> const& specs,
                                                    bag::TeamLayout const& layout);

// What workers of each kind have shown: the mean over those that were at work long enough to tell.
[[nodiscard]] SpeedByKind speeds_by_kind(std::vector<std::string> const& kinds,
                                         bag::SpeedTable const& speeds);

}  // namespace makespan::asian

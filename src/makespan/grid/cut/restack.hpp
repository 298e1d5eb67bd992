// SPDX-License-Identifier: Apache-2.0
#pragma once

// Planes for the devices of a stack by what they were measured to do: the decision of a grid that
// rebalances, for running ones and for those in virtual time.

#include <cstdint>
#include <optional>
#include <vector>

#include "makespan/grid/cut/layout.hpp"
#include "makespan/grid/cut/rebalance.hpp"

namespace makespan::grid {

// The stack's planes by present speeds, if it is worth to go there from those that it has; nothing
// otherwise. `measured`: all devices, by image. A host beside its devices gets layers as thick as
// cost nothing. Throws as planes_by_speed() does. Tested by tests/grid/cut/restack_test.cpp.
[[nodiscard]] std::optional<std::vector<std::int64_t>> better_planes(
    DeviceStack const& stack, ImageDevices const& measured, HostLayers layers,
    std::int64_t steps_left, RebalanceCosts const& costs, RebalanceOptions const& options = {});

// What it takes to move a plane of so many fields of doubles, at 1 GB/s: what one core copies over
// a network of 10 Gbit/s, and less than within a node. A new cut is measured as a whole, and that
// is added.
[[nodiscard]] Seconds plane_time(Box const& domain, std::int64_t fields);

}  // namespace makespan::grid

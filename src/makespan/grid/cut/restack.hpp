// SPDX-License-Identifier: Apache-2.0
#pragma once

// The stack that devices should have by what they were measured to do: the decision of a grid that
// rebalances, for running ones and for those in virtual time.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "makespan/grid/cut/layout.hpp"
#include "makespan/grid/cut/plane_weights.hpp"
#include "makespan/grid/cut/rebalance.hpp"

namespace makespan::grid {

// What a new cut is decided by.
struct CutQuestion {
  ImageDevices measured{};  // all devices, by image
  HostLayers layers{};
  PlaneWeights weights{};
  std::int64_t steps_left{};
  RebalanceOptions options{};
};

// The stack by present speeds, if it is worth to go there from the one that there is; nothing
// otherwise. A host beside its devices has as much as was said, or layers as thick as cost nothing.
// Throws as planes_by_weight() does. Tested by tests/grid/cut/restack_test.cpp.
[[nodiscard]] std::optional<DeviceStack> better_stack(DeviceStack const& stack,
                                                      CutQuestion const& question,
                                                      RebalanceCosts const& costs);

// The same of images whose hosts lie beside their devices, one above the other: all at once.
[[nodiscard]] std::optional<std::vector<DeviceStack>> better_parts(
    std::span<DeviceStack const> stacks, Box const& domain, CutQuestion const& question,
    RebalanceCosts const& costs);

// What it takes to move a plane of so many fields of doubles, at 1 GB/s: what one core copies over
// a network of 10 Gbit/s, and less than within a node. A new cut is measured as a whole, and that
// is added.
[[nodiscard]] Seconds plane_time(Box const& box, std::int64_t fields);

}  // namespace makespan::grid

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
  Box domain{};
  ImageCut cut{ImageCut::stack};  // resolved()
  HostLayers layers{};
  PlaneWeights weights{};
  ImageDevices measured{};  // all devices, by image
  std::int64_t steps_left{};
  std::int64_t fields{};  // that move
  Seconds fixed{};        // what a new cut takes besides its planes
  RebalanceOptions options{};
};

// The stacks by present speeds, if it is worth to go there from those that there are; nothing
// otherwise. Each stack is decided for itself, but images whose hosts lie beside their devices, one
// above the other, are all at once. A host beside its devices has as much as was said, or layers as
// thick as cost nothing. Throws as stacks_of() does. Tested by tests/grid/cut/restack_test.cpp.
[[nodiscard]] std::optional<std::vector<DeviceStack>> better_stacks(
    std::span<DeviceStack const> stacks, CutQuestion const& question);

// What it takes to move a plane of so many fields of doubles, at 1 GB/s: what one core copies over
// a network of 10 Gbit/s, and less than within a node. A new cut is measured as a whole, and that
// is added.
[[nodiscard]] Seconds plane_time(Box const& box, std::int64_t fields);

}  // namespace makespan::grid

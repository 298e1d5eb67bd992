// SPDX-License-Identifier: Apache-2.0
#pragma once

// Planes of a box for the devices of a node, so that all end a step together: a slab for each, one
// behind the other along z. One cut between two devices costs the same wherever it is, so any
// speeds fit, up to a plane.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "makespan/base/quantity.hpp"
#include "makespan/grid/cut/plane_weights.hpp"

namespace makespan::grid {

// A device as the cut sees it: a step of n planes takes `start` + n / `speed`, none takes nothing.
struct SlabDevice {
  Speed speed{};    // planes per second
  Seconds start{};  // what a step costs before its first plane: launches, messages
  std::int64_t planes_max{std::numeric_limits<std::int64_t>::max()};  // that its memory holds
};

// That all memories together hold; the largest number where one has no limit.
[[nodiscard]] std::int64_t planes_in_memory(std::span<SlabDevice const> devices);

// Of a slab of so many planes.
[[nodiscard]] Seconds step_time(SlabDevice const& device, std::int64_t planes);
// Of what is as much work as so many planes.
[[nodiscard]] Seconds work_time(SlabDevice const& device, double planes);

// Planes of each device. No other cut ends earlier: each plane goes to the device that would be
// done with it first, the first of those; minimising the longest of increasing times, that is exact
// (B. Fox, "Discrete optimization via marginal analysis", Management Science 13, 1966,
// https://doi.org/10.1287/mnsc.13.3.210). O(planes log devices).
//
// Throws InputError without devices, on speeds that are not positive and finite, on starts and
// memories below zero, and if there are more planes than the memories hold. Tested by
// tests/grid/cut/slab_cut_test.cpp.
[[nodiscard]] std::vector<std::int64_t> planes_by_speed(std::int64_t planes,
                                                        std::span<SlabDevice const> devices);

// The same where planes differ in weight: of planes [first, first + planes), to devices in their
// order along z, and speeds are in planes of weight 1 per second. No other cut into as many
// stretches in this order ends earlier, to 12 digits: the time is found by bisection, each device
// taking what it can do in it. Planes that are alike are cut as above.
[[nodiscard]] std::vector<std::int64_t> planes_by_weight(std::int64_t first, std::int64_t planes,
                                                         std::span<SlabDevice const> devices,
                                                         PlaneWeights const& weights);

}  // namespace makespan::grid

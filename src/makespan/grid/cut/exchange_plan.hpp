// SPDX-License-Identifier: Apache-2.0
#pragma once

// What each slab sends and receives in a step, and where it lies in the receiver's memory. All
// images make the same plan from the same layout, so no image asks where to put what.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "makespan/grid/cut/halo_parts.hpp"
#include "makespan/grid/cut/layout.hpp"

namespace makespan::grid {

// What a device does in a step, and in what order.
enum class Schedule : std::uint8_t {
  none,      // everything; then halos travel, and all wait for them
  overlap,   // what others wait for first; halos travel while it does the rest
  pipeline,  // the same in blocks, each of which is sent as soon as it is computed
};

// What way halos take between devices of different images.
enum class Route : std::uint8_t {
  direct,   // from the device's own endpoint into the other device's memory
  relayed,  // by the hosts of both: from device to host, to the other host, to its device
};

// One box of points that goes from one slab to another, or to itself, in each step.
struct HaloMessage {
  int number{};     // in the plan
  int from_slab{};  // numbers in the layout
  int to_slab{};
  Box from{};             // of the sender's points
  Point shift{};          // to where they are in the receiver's halo
  std::int64_t offset{};  // where it lies among what its receiver gets, in points

  [[nodiscard]] Box to() const { return moved(from, shift); }
};

struct ExchangePlan {
  std::vector<HaloMessage> messages{};         // by receiver, then sender
  std::vector<std::int64_t> points_of_slab{};  // that each slab receives

  [[nodiscard]] std::vector<HaloMessage> sent_by(int slab) const;
  [[nodiscard]] std::vector<HaloMessage> received_by(int slab) const;
};

// Tested by tests/grid/cut/exchange_plan_test.cpp.
[[nodiscard]] ExchangePlan exchange_plan(std::span<SlabPlace const> slabs,
                                         PeriodicBox const& domain, Halo const& halo);

// The same with each message in up to `blocks` parts, two rows or planes each at least, in which a
// layer is computed too: stages_of().
[[nodiscard]] ExchangePlan in_blocks(ExchangePlan const& plan, int blocks);

// A slab's points, by when they are computed: those that others wait for, and the rest.
struct SlabRegions {
  std::vector<Box> boundary{};  // share no point
  Box interior{};
  std::vector<std::size_t> across{};  // of each of the boundary's: the axis, 0 is x, 1 y, 2 z
};

// Layers `width` thick wherever a message of `sent` comes from, along x in steps of 8 points from
// the slab's first one on. Each is a layer across the whole slab, so that kernels see long rows.
[[nodiscard]] SlabRegions regions_of(Box const& slab, std::span<HaloMessage const> sent,
                                     std::int64_t width);

// What a slab computes at once, and the messages that can go as soon as that is done.
struct Stage {
  std::vector<Box> boxes{};
  std::vector<HaloMessage> messages{};
};

// Which parts of a boundary come first.
enum class BlockOrder : std::uint8_t {
  far_first,   // what other images wait for, whose way is longest
  near_first,  // what this image's other devices wait for
};

// The boundary in stages of one block each, for messages that were cut by in_blocks() with as many.
// `is_far` by number of the receiving slab. What a message needs is done in its stage or an earlier
// one, and there is no earlier stage of which that holds (figure 6 of X. Dong et al., CCPE 27,
// 2015, https://doi.org/10.1002/cpe.3507).
[[nodiscard]] std::vector<Stage> stages_of(SlabRegions const& regions,
                                           std::span<HaloMessage const> sent, int blocks,
                                           BlockOrder order, std::vector<bool> const& is_far);

// Parts for `count` threads: along z while each gets four planes, else along y.
[[nodiscard]] std::vector<Box> parts_for_threads(Box const& box, int count);

}  // namespace makespan::grid

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Groups of places that decide by themselves, and how much work should go from group to group.

#include <span>
#include <vector>

#include "makespan/graph/model/places.hpp"

namespace makespan::graph {

struct PlaceGroups {
  std::vector<std::vector<int>> members{};  // by group; places, rising
  std::vector<int> group_of{};              // by place

  [[nodiscard]] int count() const { return static_cast<int>(members.size()); }
  // The place that decides for a group.
  [[nodiscard]] int leader(int group) const {
    return members[static_cast<std::size_t>(group)].front();
  }
};

// Groups of about `size` places; 0: of about the root of all, so that no place hears from many
// more than others, and of about 8 at least. Nodes stay whole where they are not larger than that
// by half; larger ones are cut into equal parts. Places of a group are near each other: by node, by
// domain, by number. Tested by tests/graph/balancer/place_groups_test.cpp.
[[nodiscard]] PlaceGroups place_groups(Places const& places, int size);

// Work that should go from one group to another.
struct WorkTransfer {
  int from{};
  int to{};
  double work{};
};

// Evens out what groups have beyond their share of work (below 0: less): from the first that has
// more to the first that has less, and so on, so that work goes to a near group where one lacks it.
// What groups have too much, or lack, by no more than `least`, by group, moves nothing by itself;
// where one has more too much, all that are below their share take, each a little; and the other
// way round.
[[nodiscard]] std::vector<WorkTransfer> work_transfers(std::span<double const> beyond_share,
                                                       std::span<double const> least);

}  // namespace makespan::graph

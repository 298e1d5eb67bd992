// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which places are told that an object moves.

#include <span>
#include <vector>

#include "makespan/graph/protocol/home_places.hpp"
#include "makespan/graph/rebalance/rebalancer.hpp"
#include "makespan/graph/rebalance/target.hpp"

namespace makespan::graph {

// By place, rising by object: the moves that concern it. A move concerns the place that the object
// leaves, the one that it goes to, its home, and those where objects will be that sent to it in the
// phase that was looked at, as far as that was measured. Any other place is told when it sends
// there (location_table.hpp). Tested by tests/graph/rebalance/move_orders_test.cpp.
[[nodiscard]] std::vector<std::vector<Target>> move_orders(std::span<Target const> moves,
                                                           std::span<PlaceLoads const> places,
                                                           HomePlaces const& homes);

}  // namespace makespan::graph

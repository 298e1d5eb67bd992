// SPDX-License-Identifier: Apache-2.0
#pragma once

// The order in which most balancers place objects.

#include <cstdint>
#include <vector>

#include "makespan/graph/model/graph.hpp"
#include "makespan/graph/model/places.hpp"

namespace makespan::graph {

// Objects that may move, by the time that they take where they run fastest, the longest first; of
// equals the lower number. Tested by tests/graph/balancer/heaviest_first_test.cpp.
[[nodiscard]] std::vector<std::int32_t> heaviest_first(Graph const& graph, Places const& places);

}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Mappings that respect the limits of memories, from those of balancers that know of none.

#include "makespan/graph/model/graph.hpp"
#include "makespan/graph/model/places.hpp"

namespace makespan::graph {

// `mapping` where the places have no memory limits, or it keeps them. Else with objects elsewhere:
// while a memory holds too much, objects that need the same block there, or one that needs none,
// leave it together, those first that the mapping has moved, and of these those that free the most
// bytes for the time that they take; to the place with room for them where they end first, or one
// by one where there is room for none together. Where that does not help all objects are placed
// anew, those of a block together, the most bytes first. Of these two and graph.now() the first
// that is nearest to the limits. Objects that may not move stay. O(objects × places) at most;
// deterministic. Tested by tests/graph/balancer/within_memory_test.cpp.
[[nodiscard]] Mapping within_memory(Graph const& graph, Places const& places, Mapping mapping);

}  // namespace makespan::graph

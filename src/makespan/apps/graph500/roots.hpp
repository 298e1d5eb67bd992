// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where searches begin: the specification's sample of distinct vertices that have an edge to
// another vertex.

#include <cstdint>
#include <vector>

#include "makespan/apps/graph500/detail/vertex.hpp"
#include "makespan/apps/graph500/distributed_graph.hpp"
#include "makespan/apps/graph500/thread_pool.hpp"

namespace makespan::graph500 {

inline constexpr std::int64_t specified_roots = 64;

// Collective; blocks. `count` of them, the same on all images and for any number of images; fewer
// where the graph has no more. O(vertices) at most. Throws InputError on a count below 1. Tested by
// tests/apps/graph500/roots_test.cpp.
[[nodiscard]] std::vector<Vertex> choose_roots_all(ThreadPool& pool, DistributedGraph const& graph,
                                                   std::int64_t count, std::uint64_t seed);

}  // namespace makespan::graph500

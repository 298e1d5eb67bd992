// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which part of an edge list an image makes.

#include <vector>

#include "makespan/apps/graph500/detail/vertex.hpp"
#include "makespan/apps/graph500/kronecker.hpp"
#include "makespan/apps/graph500/thread_pool.hpp"

namespace makespan::graph500 {

// Not collective. This image's part, by all threads of its pool: those of all images after each
// other are the whole list, and differ in length by one at most. Tested by
// tests/apps/graph500/edge_list_test.cpp.
[[nodiscard]] std::vector<Edge> own_edges(ThreadPool& pool, KroneckerGraph const& list);

}  // namespace makespan::graph500

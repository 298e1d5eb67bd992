// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which part of an edge list an image makes.

#include <vector>

#include "makespan/apps/graph500/crew.hpp"
#include "makespan/apps/graph500/detail/vertex.hpp"
#include "makespan/apps/graph500/kronecker.hpp"

namespace makespan::graph500 {

// Not collective. This image's part, by all threads of its crew: those of all images after each
// other are the whole list, and differ in length by one at most. Tested by
// tests/apps/graph500/edge_list_test.cpp.
[[nodiscard]] std::vector<Edge> own_edges(Crew& crew, KroneckerGraph const& list);

}  // namespace makespan::graph500

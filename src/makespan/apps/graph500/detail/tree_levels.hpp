// SPDX-License-Identifier: Apache-2.0
#pragma once

// How far vertices are from the root of what may be a tree. Pure.

#include <cstdint>
#include <span>
#include <vector>

#include "makespan/apps/graph500/detail/vertex.hpp"

namespace makespan::graph500 {

// Instead of a level.
inline constexpr std::int32_t not_reached = -1;  // it has no parent
inline constexpr std::int32_t in_a_cycle = -2;   // from it, parents lead in a circle
inline constexpr std::int32_t leads_nowhere =
    -3;  // they lead to one that is not reached, or not there

// By vertex; the root's is 0 where it is its own parent, and otherwise what parents make of it.
// O(vertices). Tested by tests/apps/graph500/tree_levels_test.cpp.
[[nodiscard]] std::vector<std::int32_t> tree_levels(std::span<Vertex const> parents, Vertex root);

}  // namespace makespan::graph500

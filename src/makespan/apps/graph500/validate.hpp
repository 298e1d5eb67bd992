// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether parents are a breadth-first tree of an edge list: the five checks of Graph500's
// specification (https://graph500.org/?page_id=12, "Validation").
//
// Parents are checked against the edge list, not against the graph that was made of it, so that a
// graph that lacks edges is found out.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "makespan/apps/graph500/detail/vertex.hpp"
#include "makespan/apps/graph500/detail/vertex_blocks.hpp"
#include "makespan/apps/graph500/thread_pool.hpp"
#include "makespan/pgas/memory/symmetric_array.hpp"

namespace makespan::graph500 {

// In the specification's order.
enum class TreeCheck : std::uint8_t {
  has_no_cycle,          // parents of parents lead to the root, which alone is its own parent
  tree_edges_one_level,  // a vertex is one level below its parent, which so has a level
  edges_near_levels,     // levels of an edge's ends differ by at most one, or neither has one
  spans_component,       // both ends of an edge are reached, or neither
  parents_are_edges,     // a vertex and its parent have an edge
};
inline constexpr std::size_t tree_checks = 5;

struct Validation {
  // By check, how many vertices or edges of the list break it.
  std::array<std::int64_t, tree_checks> broken{};
  // Of the list, with self loops and doubles, that have both ends in the tree: what TEPS count.
  std::int64_t edges{0};

  [[nodiscard]] std::int64_t broken_by(TreeCheck check) const {
    return broken[static_cast<std::size_t>(check)];
  }
  [[nodiscard]] bool is_valid() const { return broken == decltype(broken){}; }
};

// Collective; blocks. `parents` are of each image's own vertices, the first of its block; `edges`
// this image's part of the list. The same result on all images. Takes memory for parents and levels
// of all vertices on each image, and a bitmap of them in the symmetric heap, without room for which
// it throws InputError. Tested by tests/apps/graph500/validate_test.cpp.
[[nodiscard]] Validation validate_all(ThreadPool& pool, VertexBlocks const& blocks,
                                      std::span<Edge const> edges,
                                      pgas::SymmetricArray<Vertex> const& parents, Vertex root);

}  // namespace makespan::graph500

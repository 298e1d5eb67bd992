// SPDX-License-Identifier: Apache-2.0
#pragma once

// What vertices and edges are called.

#include <cstdint>

namespace makespan::graph500 {

// A number from 0. There are 2^31 at most: what is above means something else.
using Vertex = std::uint32_t;

// Instead of a parent: the search has not reached it.
inline constexpr Vertex no_vertex = 0xFFFF'FFFFU;
inline constexpr std::int64_t vertices_max = std::int64_t{1} << 31U;

// Of an undirected graph. Plain data, which is copied between images.
struct Edge {
  Vertex from{};
  Vertex to{};

  friend bool operator==(Edge const&, Edge const&) = default;
};

}  // namespace makespan::graph500

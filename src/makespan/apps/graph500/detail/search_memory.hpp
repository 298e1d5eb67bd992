// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a breadth-first search keeps in the symmetric heap.

#include <array>
#include <cstdint>

#include "makespan/apps/graph500/detail/vertex.hpp"
#include "makespan/apps/graph500/detail/vertex_blocks.hpp"
#include "makespan/pgas/memory/symmetric_array.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::graph500 {

// Bitmaps have a bit for each vertex of all images. Bytes of each image: 4.4 per vertex of all
// images, and 4 per own one.
struct SearchMemory {
  // Collective.
  SearchMemory(pgas::Runtime& runtime, VertexBlocks const& blocks)
      : frontiers{runtime.allocate_all<std::uint64_t>(blocks.words(), "the frontier"),
                  runtime.allocate_all<std::uint64_t>(blocks.words(), "the next frontier")},
        discovered{runtime.allocate_all<std::uint64_t>(blocks.words(), "discovered vertices")},
        candidates{runtime.allocate_all<Vertex>(blocks.block() * blocks.images(), "candidates")},
        parents{runtime.allocate_all<Vertex>(blocks.block(), "parents")} {}

  // Collective.
  void free_all(pgas::Runtime& runtime) const {
    runtime.free_all(parents);
    runtime.free_all(candidates);
    runtime.free_all(discovered);
    for (auto const& frontier : frontiers) runtime.free_all(frontier);
  }

  // This level's and the next one's, in turn. The owner of vertices puts its part to all images.
  std::array<pgas::SymmetricArray<std::uint64_t>, 2> frontiers;
  // From above: what was reached before, and what this image has found in this level.
  pgas::SymmetricArray<std::uint64_t> discovered;
  // From which vertex this image has found each. Never changed once its owner knows of it.
  pgas::SymmetricArray<Vertex> candidates;
  // Of own vertices.
  pgas::SymmetricArray<Vertex> parents;
};

}  // namespace makespan::graph500

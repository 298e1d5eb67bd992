// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/graph500/roots.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <string>

#include "makespan/apps/graph500/kronecker.hpp"
#include "makespan/base/error.hpp"

namespace makespan::graph500 {

namespace {

// Candidates that images look at between two reductions.
constexpr std::int64_t candidates_at_once = 1024;
// So that roots are not the vertices that edges of the same seed begin with.
constexpr std::uint64_t seed_of_roots = 0x726F'6F74U;

}  // namespace

std::vector<Vertex> choose_roots_all(ThreadPool& pool, DistributedGraph const& graph,
                                     std::int64_t count, std::uint64_t seed) {
  if (count < 1) {
    throw InputError("roots = " + std::to_string(count), "no search begins",
                     "give 1 at least; Graph500 takes 64");
  }
  auto const vertices = static_cast<std::uint64_t>(graph.blocks().vertices());
  int const bits = std::max(1, static_cast<int>(std::bit_width(vertices - 1)));
  // Its values are all different, so that no root comes twice.
  VertexPermutation const permutation(bits, seed ^ seed_of_roots);
  std::int64_t const numbers = std::int64_t{1} << bits;
  std::vector<Vertex> roots;
  for (std::int64_t begin = 0; begin < numbers; begin += candidates_at_once) {
    std::vector<Vertex> candidates;
    for (std::int64_t at = begin; at < std::min(numbers, begin + candidates_at_once); ++at) {
      candidates.push_back(permutation(static_cast<Vertex>(at)));
    }
    std::vector<std::int32_t> have_edges;
    for (Vertex const vertex : candidates) {
      std::int64_t const own = std::int64_t{vertex} - graph.first();
      bool const has_edge = own >= 0 && own < graph.count() && graph.degree(own) > 0;
      have_edges.push_back(has_edge ? 1 : 0);
    }
    std::vector<std::int32_t> of_all(have_edges.size());
    pool.runtime().team().all_reduce_all(pgas::ReduceOp::max,
                                         std::span<std::int32_t const>(have_edges),
                                         std::span<std::int32_t>(of_all));
    for (std::size_t at = 0; at < candidates.size(); ++at) {
      if (of_all[at] != 0) roots.push_back(candidates[at]);
      if (std::ssize(roots) == count) return roots;
    }
  }
  return roots;
}

}  // namespace makespan::graph500

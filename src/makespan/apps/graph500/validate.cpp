// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/graph500/validate.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <utility>
#include <vector>

#include "makespan/apps/graph500/detail/bits.hpp"
#include "makespan/apps/graph500/detail/tree_levels.hpp"
#include "makespan/base/contracts.hpp"

namespace makespan::graph500 {

namespace {

constexpr std::int64_t edges_of_chunk = 65536;
constexpr std::int64_t words_at_once = 1024;

struct Tally {
  std::array<std::int64_t, tree_checks> broken{};
  std::int64_t edges{0};

  void note(TreeCheck check) { ++broken[static_cast<std::size_t>(check)]; }
};

class Validator {
 public:
  Validator(ThreadPool& pool, VertexBlocks const& blocks, Vertex root)
      : pool_{pool},
        blocks_{blocks},
        root_{root},
        own_{pool.runtime().image().value()},
        parents_(static_cast<std::size_t>(blocks.block() * blocks.images())),
        seen_{pool.runtime().allocate_all<std::uint64_t>(blocks.words(), "edges to parents")} {}

  Validation run_all(std::span<Edge const> edges, pgas::SymmetricArray<Vertex> const& parents) {
    pgas::Team& team = pool_.runtime().team();
    team.barrier_all();
    pool_.each_chunk(
        blocks_.images(), 1, [&](pgas::Endpoint& here, std::int64_t image, std::int64_t) {
          auto const first = static_cast<std::size_t>(blocks_.first(image));
          here.get(parents.at(ImageId{image}),
                   std::span(parents_).subspan(first, static_cast<std::size_t>(blocks_.block())));
        });
    // Blocks came whole; behind the last vertex there is nothing to check.
    parents_.resize(static_cast<std::size_t>(blocks_.vertices()));
    levels_ = tree_levels(parents_, root_);
    check_vertices();
    check_edges(edges);
    team.barrier_all();
    // It reads the bitmaps of all images, of which each had a part of the edges.
    check_parents();
    return sum_all();
  }

  // Collective.
  void free_all() {
    // Others may still be reading this image's.
    pool_.runtime().team().barrier_all();
    pool_.runtime().free_all(seen_);
  }

 private:
  void add(Tally const& part) {
    for (std::size_t check = 0; check < tree_checks; ++check) {
      std::atomic_ref(all_.broken[check]).fetch_add(part.broken[check], std::memory_order_relaxed);
    }
    std::atomic_ref(all_.edges).fetch_add(part.edges, std::memory_order_relaxed);
  }

  [[nodiscard]] bool is_own_parent(std::size_t vertex) const {
    return parents_[vertex] == static_cast<Vertex>(vertex);
  }

  // Of own vertices, what parents tell by themselves.
  void check_vertices() {
    Tally tally;
    auto const first = static_cast<std::size_t>(blocks_.first(own_));
    std::size_t const end = first + static_cast<std::size_t>(blocks_.count(own_));
    for (std::size_t vertex = first; vertex < end; ++vertex) {
      if (vertex == root_ && !is_own_parent(vertex)) tally.note(TreeCheck::has_no_cycle);
      if (levels_[vertex] == in_a_cycle) tally.note(TreeCheck::has_no_cycle);
      Vertex const parent = parents_[vertex];
      if (parent == no_vertex) continue;
      if (parent >= parents_.size() || parents_[parent] == no_vertex) {
        tally.note(TreeCheck::tree_edges_one_level);
      }
    }
    add(tally);
  }

  void check_edges(std::span<Edge const> edges) {
    std::uint64_t* const seen = pool_.runtime().local(seen_).data();
    pool_.each_chunk(
        std::ssize(edges), edges_of_chunk,
        [&](pgas::Endpoint&, std::int64_t begin, std::int64_t end) {
          Tally tally;
          for (Edge const& edge : edges.subspan(static_cast<std::size_t>(begin),
                                                static_cast<std::size_t>(end - begin))) {
            check_edge(edge, tally, seen);
          }
          add(tally);
        });
  }

  void check_edge(Edge const& edge, Tally& tally, std::uint64_t* seen) const {
    std::int32_t const from = levels_[edge.from];
    std::int32_t const to = levels_[edge.to];
    // Levels below 0 say why there is none (detail/tree_levels.hpp).
    if (from >= 0 && to >= 0) {
      ++tally.edges;
      if (std::abs(from - to) > 1) tally.note(TreeCheck::edges_near_levels);
    } else if (from >= 0 || to >= 0) {
      tally.note(TreeCheck::edges_near_levels);
      tally.note(TreeCheck::spans_component);
    }
    if (edge.from == edge.to) return;
    if (parents_[edge.from] == edge.to) set_bit(seen, edge.from);
    if (parents_[edge.to] == edge.from) set_bit(seen, edge.to);
  }

  // Of own vertices: whether some image has seen an edge to the parent.
  void check_parents() {
    std::int64_t const first_word = blocks_.block_words() * own_;
    pool_.each_chunk(blocks_.block_words(), words_at_once,
                     [&](pgas::Endpoint& here, std::int64_t begin, std::int64_t end) {
                       std::vector<std::uint64_t> seen(static_cast<std::size_t>(end - begin));
                       std::vector<std::uint64_t> part(seen.size());
                       for (int image = 0; image < blocks_.images(); ++image) {
                         here.get(seen_.at(ImageId{image}, first_word + begin), part);
                         for (std::size_t word = 0; word < seen.size(); ++word)
                           seen[word] |= part[word];
                       }
                       Tally tally;
                       for (std::size_t word = 0; word < seen.size(); ++word) {
                         std::int64_t const first =
                             (first_word + begin + static_cast<std::int64_t>(word)) * word_bits;
                         each_bit(~seen[word], first, [&](std::int64_t vertex) {
                           if (vertex >= blocks_.vertices() || vertex == root_) return;
                           if (parents_[static_cast<std::size_t>(vertex)] == no_vertex) return;
                           tally.note(TreeCheck::parents_are_edges);
                         });
                       }
                       add(tally);
                     });
  }

  [[nodiscard]] Validation sum_all() {
    pgas::Team& team = pool_.runtime().team();
    Validation validation;
    team.all_reduce_all(pgas::ReduceOp::sum, std::span<std::int64_t const>(all_.broken),
                        std::span<std::int64_t>(validation.broken));
    validation.edges = team.all_reduce_all(pgas::ReduceOp::sum, all_.edges);
    return validation;
  }

  ThreadPool& pool_;
  VertexBlocks blocks_;
  Vertex root_;
  std::int64_t own_;
  std::vector<Vertex> parents_;               // of all vertices
  std::vector<std::int32_t> levels_{};        // of all vertices
  pgas::SymmetricArray<std::uint64_t> seen_;  // bitmap: this image has an edge to the parent
  Tally all_{};
};

}  // namespace

Validation validate_all(ThreadPool& pool, VertexBlocks const& blocks, std::span<Edge const> edges,
                        pgas::SymmetricArray<Vertex> const& parents, Vertex root) {
  MAKESPAN_EXPECT(root < blocks.vertices());
  Validator validator(pool, blocks, root);
  Validation const validation = validator.run_all(edges, parents);
  validator.free_all();
  return validation;
}

}  // namespace makespan::graph500

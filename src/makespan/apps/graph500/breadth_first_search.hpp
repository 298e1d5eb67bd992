// SPDX-License-Identifier: Apache-2.0
#pragma once

// Breadth-first search by all threads of all images, level by level, from above or from below:
// kernel 2 of Graph500.
//
// All images know the whole frontier, as a bitmap, of which each image puts its own part to the
// others. So a level from below needs nothing else of other images. From above, an image notes in a
// bitmap of its own what it has found, and from where; after a barrier, owners fetch their parts of
// these bitmaps, and the parents: by loads where the memory is mapped, else all together at the
// end.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "makespan/apps/graph500/detail/direction_switch.hpp"
#include "makespan/apps/graph500/detail/search_memory.hpp"
#include "makespan/apps/graph500/detail/search_options.hpp"
#include "makespan/apps/graph500/detail/vertex.hpp"
#include "makespan/apps/graph500/distributed_graph.hpp"
#include "makespan/apps/graph500/thread_pool.hpp"
#include "makespan/base/quantity.hpp"

namespace makespan::graph500 {

struct SearchResult {
  std::int64_t reached{0};  // vertices, with the root
  int levels{0};            // of the tree; 1 of a root alone
  int levels_bottom_up{0};  // that were looked for from below
  Seconds time{};           // on the image where it took longest
};

// Of one graph; for any number of roots, one after the other. Tested by
// tests/apps/graph500/breadth_first_search_test.cpp.
class BreadthFirstSearch {
 public:
  // Collective. `pool` and `graph` outlive it. Throws InputError where the symmetric heap has no
  // room (search_heap_bytes()), or an option is not above 0.
  BreadthFirstSearch(ThreadPool& pool, DistributedGraph const& graph,
                     SearchOptions const& options = {});

  // Collective; blocks. All images give the same root. Throws InputError, on all images, on a root
  // that there is not, and ImageFailed when an image is lost.
  SearchResult run_all(Vertex root);

  // Of the last search, of this image's own vertices: the root's is itself, and no_vertex that of
  // those that were not reached.
  [[nodiscard]] std::span<Vertex const> parents() const { return parents_; }
  // The same, where other images get it.
  [[nodiscard]] pgas::SymmetricArray<Vertex> const& shared_parents() const {
    return memory_.parents;
  }
  // Collective.
  void free_all() { memory_.free_all(pool_.runtime()); }

 private:
  void begin(Vertex root);
  LevelCounts level_top_down();
  LevelCounts level_bottom_up();
  void push(std::int64_t begin, std::int64_t end);
  void gather(pgas::Endpoint& here, std::int64_t begin, std::int64_t end);
  void adopt(pgas::Endpoint& here, ImageId from, std::int64_t begin,
             std::span<std::uint64_t const> found);
  void pull(std::int64_t begin, std::int64_t end);
  void publish(pgas::Endpoint& here, std::int64_t begin, std::int64_t end);
  void mark_reached();
  void fetch_parents();
  [[nodiscard]] std::int64_t words_of_chunk(std::int64_t words) const;
  [[nodiscard]] LevelCounts sum_all(LevelCounts const& own);
  [[nodiscard]] LevelCounts counted_all();
  // Of the own part of the next frontier.
  [[nodiscard]] std::uint64_t* next_words() const;

  ThreadPool& pool_;
  DistributedGraph const& graph_;
  SearchOptions options_;
  SearchMemory memory_;
  std::span<Vertex> parents_;
  std::int64_t first_word_;                // of own vertices, in bitmaps of all
  std::vector<std::uint64_t> reached_;     // bitmap of all vertices
  std::vector<std::uint64_t> connected_;   // bitmap of own vertices: those that have neighbours
  std::vector<Vertex> hubs_;               // of own vertices, the neighbour of most edges
  std::size_t now_{0};                     // which frontier is this level's
  std::atomic<std::int64_t> vertices_{0};  // of the next frontier, found here
  std::atomic<std::int64_t> arcs_{0};      // of these
  bool are_all_mapped_{true};              // other images' heaps
};

// Of the symmetric heap that a graph, its search and validate_all() need on each image.
[[nodiscard]] std::int64_t search_heap_bytes(std::int64_t vertices);

}  // namespace makespan::graph500

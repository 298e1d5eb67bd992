// SPDX-License-Identifier: Apache-2.0
#pragma once

// Counts the nodes of a tree, by all threads of all images.

#include <cstdint>

#include "makespan/apps/uts/tree.hpp"
#include "makespan/base/quantity.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::uts {

// How the tree is divided.
enum class Division : std::uint8_t {
  steal,  // threads with nothing to do take nodes from others, of their image first
  fixed,  // the subtrees of the first level that has enough of them are dealt out, and stay
};

struct SearchOptions {
  int threads{1};  // of each image: as many as the runtime has
  Division division{Division::steal};
  int chunk{20};  // nodes that a thread offers to others at a time
};

struct SearchResult {
  std::int64_t nodes{0};
  std::int64_t leaves{0};
  int depth{0};  // of the deepest node; that of the root is 0
  std::int64_t steals{0};
  std::int64_t stolen{0};         // nodes
  std::int64_t nodes_longest{0};  // of the thread that counted most
  Seconds time{};                 // until all were done, on the image where that was longest
};

// Collective over the job; blocks. The runtime is not used by others meanwhile. The counts are
// those of the tree whatever the threads, images and steals. A thread looks to its endpoint every
// few microseconds, so that others can take from it over networks whose messages its processor
// carries out. Throws InputError on options that are none, and ImageFailed when an image is lost.
// Where a thread of an image fails (it has no memory, say) that image throws what the thread has
// thrown, and all others std::runtime_error; the job's memory for the search is not given back.
// Tested by tests/apps/uts/tree_search_test.cpp.
[[nodiscard]] SearchResult search_all(pgas::Runtime& runtime, Tree const& tree,
                                      SearchOptions const& options);

}  // namespace makespan::uts

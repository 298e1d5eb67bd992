// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the workers of one node have claimed together and nobody has begun: a node's counter, filled
// from the one on image 0.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "makespan/bag/image/image_roster.hpp"
#include "makespan/bag/protocol/item_range.hpp"
#include "makespan/base/ids.hpp"
#include "makespan/base/quantity.hpp"
#include "makespan/pgas/memory/symmetric_array.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::bag {

// On the first image of the node there are a range word (protocol/range_word.hpp) and the speeds of
// all workers. Two words take turns, so that what one bag leaves, when it is stopped or an image
// dies, is gone before its word is used again.
//
// If the first image is lost, so is the pool, and what was in it: the keeper finds that. Functions
// that take an endpoint are for its thread. Tested by tests/bag/image/node_pool_test.cpp.
class NodePool {
 public:
  // Collective. Keeps references.
  NodePool(pgas::Runtime& runtime, ImageRoster const& roster);

  // Of all images of this node.
  [[nodiscard]] int workers() const { return static_cast<int>(members_.size()); }

  // Before this image's workers claim from bag `number`, which all images begin after all have
  // ended the one before it.
  void begin(pgas::Endpoint& here, std::uint64_t number);

  // Whether there is one. False once its image is lost.
  [[nodiscard]] bool is_there() const;

  // Together; of those that nobody has told: as fast as the fastest.
  [[nodiscard]] Speed speed_together(pgas::Endpoint& here) const;
  void tell_speed(pgas::Endpoint& here, int worker, Speed speed) const;

  [[nodiscard]] bool is_empty(pgas::Endpoint& here) const;

  // The first items of what is there, as many as chunk(left) says; nothing if nothing is there.
  template <std::invocable<ItemRange> Chunk>
  [[nodiscard]] std::optional<ItemRange> take(pgas::Endpoint& here, Chunk&& chunk) const;

  // Leaves items for the others. False: there are some already, and these are still the caller's.
  [[nodiscard]] bool offer(pgas::Endpoint& here, ItemRange items) const;

 private:
  [[nodiscard]] ItemRange load(pgas::Endpoint& here) const;
  // Whether `seen` was there; now it is what there is.
  [[nodiscard]] bool replace(pgas::Endpoint& here, ItemRange& seen, ItemRange with) const;
  [[nodiscard]] pgas::GlobalPtr<std::uint64_t> word() const;
  [[nodiscard]] pgas::GlobalPtr<std::uint64_t> speeds() const;

  pgas::Runtime& runtime_;
  ImageRoster const& roster_;
  ImageId first_;               // of the node
  std::vector<int> members_{};  // workers of the node
  std::uint64_t bag_{0};
  pgas::SymmetricArray<std::uint64_t> words_;  // two ranges, then a speed for each worker
};

template <std::invocable<ItemRange> Chunk>
std::optional<ItemRange> NodePool::take(pgas::Endpoint& here, Chunk&& chunk) const {
  ItemRange left = load(here);
  while (!left.empty()) {
    ItemRange const taken = chunk(left);
    if (replace(here, left, {taken.end, left.end})) return taken;
  }
  return std::nullopt;
}

}  // namespace makespan::bag

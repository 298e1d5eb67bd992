// SPDX-License-Identifier: Apache-2.0
#pragma once

// Items that the workers of one node have claimed together and not yet begun: a counter of the
// node, filled from the counter on image 0.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "makespan/bag/dispatch/image_roster.hpp"
#include "makespan/bag/dispatch/item_pool.hpp"
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
// If the first image is lost, so is the pool, and what was in it: the tracker finds that. Thread t
// of the team reaches it by endpoint t + 1. Tested by tests/bag/image/node_pool_test.cpp.
class NodePool final : public ItemPool {
 public:
  // Collective. Keeps references.
  NodePool(pgas::Runtime& runtime, ImageRoster const& roster);

  [[nodiscard]] int workers() const override { return static_cast<int>(members_.size()); }

  // Before this image's workers claim from bag `number`, which all images begin after all have
  // ended the one before it.
  void begin(pgas::Endpoint& here, std::uint64_t number);

  [[nodiscard]] bool is_there() const override;
  [[nodiscard]] Speed speed_together(int thread) override;
  void report_speed(int thread, int worker, Speed speed) override;
  [[nodiscard]] bool is_empty(int thread) override;
  [[nodiscard]] std::optional<ItemRange> take(int thread, Chunk const& chunk) override;
  [[nodiscard]] bool offer(int thread, ItemRange items) override;

 private:
  [[nodiscard]] pgas::Endpoint& here(int thread) const { return runtime_.endpoint(1 + thread); }
  [[nodiscard]] ItemRange load(int thread) const;
  // Whether `seen` was there; now it is what there is.
  [[nodiscard]] bool replace(int thread, ItemRange& seen, ItemRange with) const;
  [[nodiscard]] pgas::GlobalPtr<std::uint64_t> word() const;
  [[nodiscard]] pgas::GlobalPtr<std::uint64_t> speeds() const;

  pgas::Runtime& runtime_;
  ImageRoster const& roster_;
  ImageId first_;               // of the node
  std::vector<int> members_{};  // workers of the node
  std::uint64_t bag_{0};
  pgas::SymmetricArray<std::uint64_t> words_;  // two ranges, then a speed for each worker
};

}  // namespace makespan::bag

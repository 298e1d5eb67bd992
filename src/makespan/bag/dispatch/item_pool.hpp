// SPDX-License-Identifier: Apache-2.0
#pragma once

// Items that the workers of one node have claimed together and not yet begun.

#include <functional>
#include <optional>

#include "makespan/bag/protocol/item_range.hpp"
#include "makespan/base/quantity.hpp"

namespace makespan::bag {

// `thread` is the team's thread that calls. Functions that have one throw ImageFailed when
// the image that keeps the pool is lost.
class ItemPool {
 public:
  ItemPool() = default;
  ItemPool(ItemPool const&) = delete;
  ItemPool& operator=(ItemPool const&) = delete;
  virtual ~ItemPool() = default;

  // Of all images of this node.
  [[nodiscard]] virtual int workers() const = 0;
  // Whether there is one. False once its image is lost.
  [[nodiscard]] virtual bool is_there() const = 0;

  // Sum over the workers of the node. A worker whose speed was not told counts as fast as the
  // fastest.
  [[nodiscard]] virtual Speed speed_together(int thread) = 0;
  // Of a worker, numbered through all images.
  virtual void report_speed(int thread, int worker, Speed speed) = 0;

  [[nodiscard]] virtual bool is_empty(int thread) = 0;
  // The first items of what is there, as many as chunk(left) says, which may be asked again when
  // another was quicker; nothing if nothing is there.
  using Chunk = std::function<ItemRange(ItemRange left)>;
  [[nodiscard]] virtual std::optional<ItemRange> take(int thread, Chunk const& chunk) = 0;
  // Leaves items for the others. False: there are some already, and these are still the caller's.
  [[nodiscard]] virtual bool offer(int thread, ItemRange items) = 0;
};

}  // namespace makespan::bag

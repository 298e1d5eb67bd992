// SPDX-License-Identifier: Apache-2.0
#pragma once

// What an application gives to a bag that several images work on: how to run items, and how what
// came of them gets to image 0.

#include <cstddef>
#include <span>
#include <vector>

#include "makespan/bag/item_runner.hpp"

namespace makespan::bag {

class DistributedItemRunner : public ItemRunner {
 public:
  // Appends to `bytes` what `thread` got out of its items since the last call, and forgets it.
  // Called on images other than 0, by one thread at a time, while `thread` runs no item.
  virtual void pack(int thread, std::vector<std::byte>& bytes) = 0;

  // On image 0: takes what one or several calls of pack() wrote, one after the other. Called by one
  // thread at a time, also while others run items. Each item's result comes once: it ran here, or
  // it comes this way.
  virtual void unpack(std::span<std::byte const> bytes) = 0;
};

}  // namespace makespan::bag

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which items of a bag are finished: one bit each, and the count.

#include <cstdint>
#include <vector>

#include "makespan/bag/protocol/item_range.hpp"

namespace makespan::bag {

// Bits rather than the claims that are out, since an item may be finished by several workers, in
// ranges cut differently, when one of them was given up too early. Memory: items / 8 bytes.
// Allocates: in the constructor only. Tested by tests/bag/protocol/finished_items_test.cpp.
class FinishedItems {
 public:
  explicit FinishedItems(std::int64_t items);

  // Marks a range and returns how many of its items were not finished before. O(items of the range
  // / 64).
  std::int64_t mark(ItemRange range);

  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] bool contains(std::int64_t item) const;

  // Whether no item of the range is finished.
  [[nodiscard]] bool has_none_of(ItemRange range) const;

  // The first items of the range that are not finished, up to the next one that is; empty, at its
  // end, when all of it is finished.
  [[nodiscard]] ItemRange first_gap(ItemRange range) const;

 private:
  [[nodiscard]] std::int64_t next(bool is_finished, ItemRange range) const;

  std::vector<std::uint64_t> words_;  // item i is bit i % 64 of word i / 64
  std::int64_t items_;
  std::int64_t count_{};
};

}  // namespace makespan::bag

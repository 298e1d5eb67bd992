// SPDX-License-Identifier: Apache-2.0
#pragma once

// A bag: the items of many tasks in one fixed order, longest first, with what each is predicted to
// cost.
//
// A task (one option of a book, say) consists of items of equal cost (blocks of paths). The bag
// lays the items of all tasks in one row, the dearest items first, so that what is left for the end
// is cheap and evens out the finish. Claims are ranges of that row. Prefix sums turn an item's
// number into its task, and an amount of work into a count of items.

#include <cstdint>
#include <span>
#include <vector>

#include "makespan/bag/protocol/item_range.hpp"
#include "makespan/base/ids.hpp"
#include "makespan/base/quantity.hpp"

namespace makespan::bag {

// The items of one task, contiguous in the bag's order.
struct Segment {
  TaskId task;
  std::int64_t items{};
  Work cost_per_item{};  // predicted, above 0 and finite; any unit, as long as the whole bag has
                         // the same
};

// Some items of one task, counted from 0 in that task.
struct TaskItems {
  TaskId task;
  ItemRange items;
};

// A value: copies are independent, nothing changes after construction. Building it takes O(n log n)
// for n tasks, each question O(log n) at most. Tested by tests/bag/protocol/bag_test.cpp.
class Bag {
 public:
  // Segments without items are dropped. Costs must be above 0 and finite, counts not negative, and
  // each task appears once.
  explicit Bag(std::vector<Segment> segments);

  // In the bag's order: cost per item falling, equal costs by task id.
  [[nodiscard]] std::span<Segment const> segments() const { return segments_; }
  [[nodiscard]] std::int64_t tasks() const { return static_cast<std::int64_t>(segments_.size()); }
  [[nodiscard]] std::int64_t items() const { return item_bounds_.back(); }
  [[nodiscard]] Work work() const { return work_bounds_.back(); }

  // Standard deviation over mean of the predicted cost of one item; 0 for an empty bag.
  [[nodiscard]] double item_cost_spread() const { return item_cost_spread_; }

  // The position among segments() of the one that holds `item`, which must be below items().
  [[nodiscard]] std::int64_t segment_of(std::int64_t item) const;

  // The items of the segment at that position.
  [[nodiscard]] ItemRange segment_items(std::int64_t segment) const;

  // What of `range` lies in the segment at that position, in items of its task. The two must
  // overlap.
  [[nodiscard]] TaskItems task_items(std::int64_t segment, ItemRange range) const;

  // Predicted cost of the first `items` items, 0 .. items().
  [[nodiscard]] Work work_before(std::int64_t items) const;
  [[nodiscard]] Work work_of(ItemRange range) const {
    return work_before(range.end) - work_before(range.begin);
  }

  // How many of the first items cost `work`, to the nearest item; 0 .. items().
  [[nodiscard]] std::int64_t items_worth(Work work) const;

 private:
  std::vector<Segment> segments_;
  std::vector<std::int64_t>
      item_bounds_;  // first item of each segment, then the count of all: tasks() + 1 entries
  std::vector<Work> work_bounds_;  // likewise, in predicted cost
  double item_cost_spread_{};
};

}  // namespace makespan::bag

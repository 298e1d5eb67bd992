// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/protocol/bag.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "makespan/base/contracts.hpp"

namespace makespan::bag {

namespace {

bool comes_first(Segment const& a, Segment const& b) {
  if (a.cost_per_item != b.cost_per_item) return a.cost_per_item > b.cost_per_item;
  // So the row does not depend on the order in which tasks are given: all images lay the same.
  return a.task < b.task;
}

void expect_sound(std::vector<Segment> const& segments) {
  for ([[maybe_unused]] Segment const& segment : segments) {
    MAKESPAN_EXPECT(segment.items >= 0);
    MAKESPAN_EXPECT(segment.cost_per_item.value() > 0.0);
    MAKESPAN_EXPECT(std::isfinite(segment.cost_per_item.value()));
  }
}

double spread(std::vector<Segment> const& segments, std::int64_t items, Work work) {
  if (items == 0) return 0.0;
  double const mean = work.value() / static_cast<double>(items);
  double squares = 0.0;
  for (Segment const& segment : segments) {
    // Over the mean first: squares of costs could overflow.
    double const distance = segment.cost_per_item.value() / mean - 1.0;
    squares += static_cast<double>(segment.items) * distance * distance;
  }
  return std::sqrt(squares / static_cast<double>(items));
}

}  // namespace

Bag::Bag(std::vector<Segment> segments) : segments_(std::move(segments)) {
  expect_sound(segments_);
  std::erase_if(segments_, [](Segment const& segment) { return segment.items == 0; });
  std::ranges::sort(segments_, comes_first);
  item_bounds_.reserve(segments_.size() + 1);
  work_bounds_.reserve(segments_.size() + 1);
  item_bounds_.push_back(0);
  work_bounds_.emplace_back(0.0);
  for (Segment const& segment : segments_) {
    item_bounds_.push_back(item_bounds_.back() + segment.items);
    work_bounds_.push_back(work_bounds_.back() +
                           segment.cost_per_item * static_cast<double>(segment.items));
  }
  item_cost_spread_ = spread(segments_, items(), work());
}

std::int64_t Bag::segment_of(std::int64_t item) const {
  MAKESPAN_EXPECT(item >= 0 && item < items());
  auto const after = std::ranges::upper_bound(item_bounds_, item);
  return std::distance(item_bounds_.begin(), after) - 1;
}

ItemRange Bag::segment_items(std::int64_t segment) const {
  MAKESPAN_EXPECT(segment >= 0 && segment < tasks());
  auto const at = static_cast<std::size_t>(segment);
  return {item_bounds_[at], item_bounds_[at + 1]};
}

TaskItems Bag::task_items(std::int64_t segment, ItemRange range) const {
  ItemRange const all = segment_items(segment);
  std::int64_t const begin = std::max(range.begin, all.begin);
  std::int64_t const end = std::min(range.end, all.end);
  MAKESPAN_EXPECT(begin < end);
  return {segments_[static_cast<std::size_t>(segment)].task, {begin - all.begin, end - all.begin}};
}

Work Bag::work_before(std::int64_t items_before) const {
  // The end lies in no segment.
  if (items_before == items()) return work();
  auto const at = static_cast<std::size_t>(segment_of(items_before));
  auto const inside = static_cast<double>(items_before - item_bounds_[at]);
  return work_bounds_[at] + segments_[at].cost_per_item * inside;
}

std::int64_t Bag::items_worth(Work work_wanted) const {
  if (work_wanted >= work()) return items();
  if (!(work_wanted > Work{0.0})) return 0;
  // Less than all work, so that there is a segment in which it ends.
  auto const after = std::ranges::upper_bound(work_bounds_, work_wanted);
  auto const at = static_cast<std::size_t>(std::distance(work_bounds_.begin(), after) - 1);
  double const inside = (work_wanted - work_bounds_[at]) / segments_[at].cost_per_item;
  // Rounding may carry one item over the segment's end; the sum of its items is the limit.
  std::int64_t const whole_items = std::llround(inside);
  return std::min(item_bounds_[at] + whole_items, item_bounds_[at + 1]);
}

}  // namespace makespan::bag

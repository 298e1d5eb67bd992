// SPDX-License-Identifier: Apache-2.0
#include "makespan/sim/model/true_costs.hpp"

#include <algorithm>
#include <cmath>

#include "makespan/base/contracts.hpp"

namespace makespan::sim {

TrueCosts::TrueCosts(bag::Bag const& bag, std::span<double const> factors) : bag_{bag} {
  work_bounds_.emplace_back();
  for (bag::Segment const& segment : bag.segments()) {
    auto const task = static_cast<std::size_t>(segment.task.value());
    double const factor = task < factors.size() ? factors[task] : 1.0;
    MAKESPAN_EXPECT(factor > 0 && std::isfinite(factor));
    each_.push_back(segment.cost_per_item * factor);
    work_bounds_.push_back(work_bounds_.back() + each_.back() * static_cast<double>(segment.items));
  }
}

Work TrueCosts::work_before(std::int64_t items) const {
  MAKESPAN_EXPECT(items >= 0 && items <= bag_.items());
  if (items == bag_.items()) return work();
  std::int64_t const segment = bag_.segment_of(items);
  auto const at = static_cast<std::size_t>(segment);
  return work_bounds_[at] +
         each_[at] * static_cast<double>(items - bag_.segment_items(segment).begin);
}

std::int64_t TrueCosts::item_at(Work done) const {
  auto const next = std::ranges::upper_bound(work_bounds_, done);
  if (next == work_bounds_.end()) return bag_.items();
  auto const at = static_cast<std::size_t>(next - work_bounds_.begin()) - 1;
  bag::ItemRange const items = bag_.segment_items(static_cast<std::int64_t>(at));
  auto const into = static_cast<std::int64_t>((done - work_bounds_[at]) / each_[at]);
  // Rounding of the quotient must not lead into the next segment, whose work has not begun.
  return std::min(items.begin + into, items.end - 1);
}

}  // namespace makespan::sim

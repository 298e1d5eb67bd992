// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/item_list.hpp"

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "makespan/base/error.hpp"

namespace makespan::bag {

Bag bag_of_items(std::int64_t items, std::span<double const> costs) {
  if (items < 0) {
    throw InputError("items = " + std::to_string(items), "a list has 0 at least",
                     "give how many there are");
  }
  // One task of equal items. With costs each item is a task of its own, since all items of a task
  // cost the same.
  if (costs.empty()) return Bag({{TaskId{0}, items, Work{1.0}}});
  if (std::ssize(costs) != items) {
    throw InputError(
        "costs: " + std::to_string(costs.size()) + " for " + std::to_string(items) + " items",
        "each item has one", "give as many, or none");
  }
  std::vector<Segment> segments;
  segments.reserve(costs.size());
  double sum = 0;
  for (double const cost : costs) {
    auto const index = static_cast<std::int64_t>(segments.size());
    if (!(cost > 0 && std::isfinite(cost))) {
      throw InputError("costs[" + std::to_string(index) + "] = " + std::to_string(cost),
                       "a cost is above 0 and finite", "give any unit, the same for all items");
    }
    segments.push_back({TaskId{index}, 1, Work{cost}});
    sum += cost;
  }
  if (!std::isfinite(sum)) {
    throw InputError("costs whose sum is not finite", "work is shared by sums of them",
                     "give a larger unit, the same for all items");
  }
  return Bag(std::move(segments));
}

}  // namespace makespan::bag

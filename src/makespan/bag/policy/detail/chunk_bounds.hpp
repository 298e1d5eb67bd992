// SPDX-License-Identifier: Apache-2.0
#pragma once

// From the real number that a formula gives to a chunk that can be handed out.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "makespan/bag/policy/chunk_policy.hpp"
#include "makespan/base/checked_cast.hpp"

namespace makespan::bag {

// ceil(items / workers).
[[nodiscard]] constexpr std::int64_t even_share(std::int64_t items, int workers) {
  return items / workers + (items % workers == 0 ? 0 : 1);
}

// `items` rounded up, at least 1 and at most `items_max`, which is where infinity ends. No number
// counts as 1: times that workers tell may be so far apart that a formula has none.
[[nodiscard]] inline std::int64_t whole_items(double items, std::int64_t items_max) {
  if (!(items > 1.0)) return 1;
  if (items >= static_cast<double>(items_max)) return items_max;
  return std::min(checked_cast<std::int64_t>(std::ceil(items)), items_max);
}

// `work`, at least one of the items left, as they are on average, and at most all of them. Without
// the lower bound a formula that halves goes on to nothing before cheap items at the end are gone.
// No number counts as one item.
[[nodiscard]] inline ChunkSize bounded_work(Work work, ChunkRequest const& request) {
  Work const item = request.work_left / static_cast<double>(request.items_left);
  return ChunkSize::of_work(std::min(std::max(item, work), request.work_left));
}

}  // namespace makespan::bag

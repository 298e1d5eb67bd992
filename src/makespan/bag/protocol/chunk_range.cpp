// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/protocol/chunk_range.hpp"

#include <algorithm>

#include "makespan/bag/protocol/range_word.hpp"
#include "makespan/base/contracts.hpp"

namespace makespan::bag {

namespace {

ItemRange wanted(Bag const& bag, ChunkSize const& size, ItemRange free) {
  if (auto const* const items = size.items()) {
    MAKESPAN_EXPECT(*items >= 1);
    return {free.begin, free.begin + std::min(*items, free.items())};
  }
  // Costs so far below the others' that their sum has no room for them are no work that is left.
  if (!(*size.work() > Work{0.0})) return {free.begin, free.begin + 1};
  std::int64_t const end = bag.items_worth(bag.work_before(free.begin) + *size.work());
  // Work is rounded to the nearest item, which may be none; a claim always takes one.
  return {free.begin, std::clamp(end, free.begin + 1, free.end)};
}

}  // namespace

LoopFacts loop_of(Bag const& bag, int workers) {
  return {.items = bag.items(),
          .work = bag.work(),
          .item_cost_spread = bag.item_cost_spread(),
          .workers = workers};
}

ItemRange chunk_range(Bag const& bag, ChunkSize const& size, Mode mode, ItemRange free) {
  MAKESPAN_EXPECT(!free.empty());
  ItemRange items = snapped(mode, bag, wanted(bag, size, free), free);
  // What a worker holds it publishes as one word.
  items.end = std::min(items.end, items.begin + RangeWord::items_max);
  MAKESPAN_ENSURE(!items.empty());
  return items;
}

}  // namespace makespan::bag

// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/protocol/range_word.hpp"

#include "makespan/base/contracts.hpp"

namespace makespan::bag {

RangeWord RangeWord::of(ItemRange range) {
  if (range.empty()) return {};
  MAKESPAN_EXPECT(range.begin >= 0 && range.begin < range.end && range.end <= end_max);
  MAKESPAN_EXPECT(range.items() <= items_max);
  return RangeWord{static_cast<std::uint64_t>(range.begin) << 24U |
                   static_cast<std::uint64_t>(range.items())};
}

}  // namespace makespan::bag

// SPDX-License-Identifier: Apache-2.0
#pragma once

// A range of items in one 64-bit word.
//
// A worker publishes what it holds and has not begun as such a word. It takes pieces from the
// front, thieves take the tail, and each changes the word by compare-exchange only, so that no item
// is taken twice. A word that comes back to an older value means what it meant then, so a
// compare-exchange that misses the change (ABA) is harmless.

#include <cstdint>

#include "makespan/bag/protocol/item_range.hpp"

namespace makespan::bag {

// The first item in the upper 40 bits, the count of items in the lower 24. 0 is an empty range.
class RangeWord {
 public:
  static constexpr std::int64_t items_max = (std::int64_t{1} << 24) - 1;
  static constexpr std::int64_t end_max = std::int64_t{1} << 40;

  constexpr RangeWord() = default;
  constexpr explicit RangeWord(std::uint64_t bits) : bits_{bits} {}

  // `range` may hold items_max items, and end at end_max.
  [[nodiscard]] static RangeWord of(ItemRange range);

  [[nodiscard]] constexpr std::uint64_t bits() const { return bits_; }
  [[nodiscard]] constexpr ItemRange range() const {
    auto const begin = static_cast<std::int64_t>(bits_ >> 24U);
    return {begin, begin + static_cast<std::int64_t>(bits_ & count_mask)};
  }

 private:
  static constexpr std::uint64_t count_mask = (std::uint64_t{1} << 24U) - 1;

  std::uint64_t bits_{};
};

}  // namespace makespan::bag

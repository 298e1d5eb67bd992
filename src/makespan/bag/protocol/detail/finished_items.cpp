// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/protocol/detail/finished_items.hpp"

#include <algorithm>
#include <bit>

#include "makespan/base/contracts.hpp"

namespace makespan::bag {

namespace {

constexpr std::int64_t word_bits = 64;

// Ones from bit `begin` to bit `end` - 1, for 0 <= begin < end <= 64.
std::uint64_t ones(std::int64_t begin, std::int64_t end) {
  std::uint64_t const up_to_end =
      end == word_bits ? ~std::uint64_t{0} : (std::uint64_t{1} << end) - 1;
  return up_to_end & (~std::uint64_t{0} << begin);
}

}  // namespace

FinishedItems::FinishedItems(std::int64_t items)
    : words_(static_cast<std::size_t>((items + word_bits - 1) / word_bits)), items_(items) {
}

std::int64_t FinishedItems::mark(ItemRange range) {
  MAKESPAN_EXPECT(range.begin >= 0 && range.begin <= range.end && range.end <= items_);
  std::int64_t added = 0;
  for (std::int64_t item = range.begin; item < range.end;) {
    std::int64_t const word_begin = item - item % word_bits;
    std::int64_t const stop = std::min(range.end, word_begin + word_bits);
    std::uint64_t const mask = ones(item - word_begin, stop - word_begin);
    std::uint64_t& word = words_[static_cast<std::size_t>(word_begin / word_bits)];
    added += std::popcount(mask & ~word);
    word |= mask;
    item = stop;
  }
  count_ += added;
  return added;
}

bool FinishedItems::contains(std::int64_t item) const {
  MAKESPAN_EXPECT(item >= 0 && item < items_);
  return (words_[static_cast<std::size_t>(item / word_bits)] >> (item % word_bits) & 1U) != 0;
}

bool FinishedItems::has_none_of(ItemRange range) const {
  MAKESPAN_EXPECT(range.begin >= 0 && range.begin <= range.end && range.end <= items_);
  return next(true, range) == range.end;
}

ItemRange FinishedItems::first_gap(ItemRange range) const {
  MAKESPAN_EXPECT(range.begin >= 0 && range.begin <= range.end && range.end <= items_);
  std::int64_t const begin = next(false, range);
  return {begin, next(true, {begin, range.end})};
}

// The first item of the range that is finished, or is not; its end if there is none.
std::int64_t FinishedItems::next(bool is_finished, ItemRange range) const {
  for (std::int64_t item = range.begin; item < range.end; item += word_bits - item % word_bits) {
    std::uint64_t const word = words_[static_cast<std::size_t>(item / word_bits)];
    std::uint64_t const wanted = (is_finished ? word : ~word) >> (item % word_bits);
    if (wanted != 0) return std::min(item + std::countr_zero(wanted), range.end);
  }
  return range.end;
}

}  // namespace makespan::bag

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where a bag's claims have come to, in one 64-bit word that all images change.

#include <cstdint>

#include "makespan/base/contracts.hpp"

namespace makespan::bag {

// The number of claims in the upper 24 bits, which start again at 0 when they overflow, and the
// first item that was not claimed in the lower 40. 0 is a bag of which nothing was claimed.
class ClaimWord {
 public:
  static constexpr std::int64_t cursor_max = (std::int64_t{1} << 40) - 1;

  constexpr ClaimWord() = default;
  constexpr explicit ClaimWord(std::uint64_t bits) : bits_{bits} {}

  // Of a bag of so many items that is stopped: nothing is left, also where the word is the number
  // of the next claim. Claims under way may still add to it, so it is not the largest word.
  [[nodiscard]] static constexpr ClaimWord spent(std::int64_t items) {
    MAKESPAN_EXPECT(items >= 0 && items <= cursor_max);
    return ClaimWord{static_cast<std::uint64_t>(items)};
  }

  [[nodiscard]] constexpr std::uint64_t bits() const { return bits_; }
  [[nodiscard]] constexpr std::int64_t step() const {
    return static_cast<std::int64_t>(bits_ >> cursor_bits);
  }
  [[nodiscard]] constexpr std::int64_t cursor() const {
    return static_cast<std::int64_t>(bits_ & cursor_mask);
  }

  // After a claim, or several at once, that end at `cursor`.
  [[nodiscard]] constexpr ClaimWord claimed_to(std::int64_t cursor, int claims = 1) const {
    MAKESPAN_EXPECT(cursor >= 0 && cursor <= cursor_max && claims >= 1);
    return ClaimWord{
        (((bits_ >> cursor_bits) + static_cast<std::uint64_t>(claims)) << cursor_bits) |
        static_cast<std::uint64_t>(cursor)};
  }

  // What has to be added to claim so many items, whatever was claimed meanwhile.
  [[nodiscard]] static constexpr std::uint64_t step_of(std::int64_t items, int claims = 1) {
    MAKESPAN_EXPECT(items >= 0 && items <= cursor_max && claims >= 1);
    return (static_cast<std::uint64_t>(claims) << cursor_bits) | static_cast<std::uint64_t>(items);
  }

 private:
  static constexpr unsigned cursor_bits = 40;
  static constexpr std::uint64_t cursor_mask = (std::uint64_t{1} << cursor_bits) - 1;

  std::uint64_t bits_{};
};

}  // namespace makespan::bag

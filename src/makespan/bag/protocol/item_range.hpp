// SPDX-License-Identifier: Apache-2.0
#pragma once

// A run of neighbouring items in a bag's order.

#include <cstdint>

namespace makespan::bag {

// Items begin .. end-1, counted from 0 in the bag's order. Empty when begin == end; never begin >
// end.
struct ItemRange {
  std::int64_t begin{};
  std::int64_t end{};

  [[nodiscard]] constexpr std::int64_t items() const { return end - begin; }
  [[nodiscard]] constexpr bool empty() const { return begin == end; }
  friend constexpr bool operator==(ItemRange const&, ItemRange const&) = default;
};

}  // namespace makespan::bag

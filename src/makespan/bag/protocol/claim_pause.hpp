// SPDX-License-Identifier: Apache-2.0
#pragma once

// How long one whose compare-exchange was lost to others waits before it tries again.

#include <algorithm>
#include <cstdint>

#include "makespan/base/mixed_bits.hpp"
#include "makespan/base/quantity.hpp"

namespace makespan::bag {

// Of n workers that try at once one wins, and they would need n^2 / 2 tries if they tried again at
// once. So after the k-th loss it waits somewhere within 2^k times what the last try took: the
// truncated binary exponential back-off of Ethernet (R. M. Metcalfe and D. R. Boggs, CACM 19, 1976,
// https://doi.org/10.1145/360248.360253). Drawn from worker and losses alone; 0 where a sleep would
// take longer than several tries. Tested by tests/bag/protocol/claim_pause_test.cpp.
[[nodiscard]] constexpr Seconds pause_after_losses(int worker, int losses, Seconds last) {
  constexpr int doublings_max = 14;
  constexpr Seconds sleep_min{20e-6};
  constexpr Seconds sleep_max{0.1};
  auto const seed =
      (static_cast<std::uint64_t>(worker) << 32U) + static_cast<std::uint64_t>(losses);
  double const draw = static_cast<double>(mixed_bits(seed + 1) >> 11U) * 0x1p-53;
  double const doubled = static_cast<double>(1 << std::min(losses, doublings_max));
  Seconds const pause = std::min(last * (draw * doubled), sleep_max);
  return pause < sleep_min ? Seconds{} : pause;
}

}  // namespace makespan::bag

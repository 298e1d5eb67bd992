// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a claim costs, learned from each.

#include <algorithm>

#include "makespan/base/quantity.hpp"

namespace makespan::bag {

// Where learning begins: a few times what bench/bag/claim_bench.cpp shows.
inline constexpr Seconds claim_cost_at_first{1e-6};

// Goes to the median, by a fifth for each sample, however far off that is: a thread that lost its
// core in the middle of a claim must not pass for dear claims, and claims over a network, a
// thousand times as dear as the first guess, are known after forty. Tested by
// tests/bag/claim_cost_test.cpp.
[[nodiscard]] constexpr Seconds learned_claim_cost(Seconds cost, Seconds sample) {
  constexpr double step = 1.2;
  constexpr Seconds least{1e-9};  // from nothing it would never rise again
  return std::max(sample > cost ? cost * step : cost / step, least);
}

}  // namespace makespan::bag

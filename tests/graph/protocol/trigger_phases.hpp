// SPDX-License-Identifier: Apache-2.0
#pragma once

// Phases by hand, and what a trigger says of them.

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "makespan/graph/protocol/balance_trigger.hpp"

namespace makespan::graph {

inline PhaseFacts const uneven{.phase_s = 2.0, .longest_s = 2.0, .mean_s = 1.0};
inline PhaseFacts const even{.phase_s = 1.0, .longest_s = 1.0, .mean_s = 1.0};
inline constexpr LookFacts halving{
    .look_s = 1e-3, .predicted_now_s = 20.0, .predicted_new_s = 10.0, .migrate_s = 1e-3};

// Phases that the trigger answers with `none`, up to the first other answer.
inline std::int64_t phases_until(BalanceTrigger& trigger, PhaseFacts const& phase,
                                 BalanceAdvice advice, std::int64_t most = 1000) {
  for (std::int64_t count = 1; count <= most; ++count) {
    BalanceAdvice const said = trigger.end_phase(phase);
    if (said == advice) return count;
    EXPECT_EQ(said, BalanceAdvice::none);
  }
  return std::numeric_limits<std::int64_t>::max();
}

inline void make_a_move(BalanceTrigger& trigger) {
  ASSERT_LE(phases_until(trigger, uneven, BalanceAdvice::look), 12);
  ASSERT_EQ(trigger.looked(halving), BalanceVerdict::move);
  trigger.moved(1e-3);
}

}  // namespace makespan::graph

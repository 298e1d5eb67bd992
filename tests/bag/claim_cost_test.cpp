// SPDX-License-Identifier: Apache-2.0
// Goal: the cost of a claim comes to the median of what claims took, and single ones far off move
// it no further than others. Method: series of samples.
#include "makespan/bag/claim_cost.hpp"

#include <gtest/gtest.h>

namespace makespan::bag {
namespace {

TEST(ClaimCost, comes_to_what_claims_take) {
  for (Seconds const truth : {Seconds{1e-9}, Seconds{3e-6}, Seconds{2e-3}}) {
    Seconds cost = claim_cost_at_first;
    for (int claim = 0; claim < 60; ++claim) cost = learned_claim_cost(cost, truth);
    EXPECT_LE(cost / truth, 1.2);
    EXPECT_GE(cost / truth, 1 / 1.2);
  }
}

TEST(ClaimCost, is_no_dearer_for_a_claim_that_took_for_ever) {
  EXPECT_EQ(learned_claim_cost(Seconds{1e-6}, Seconds{5.0}),
            learned_claim_cost(Seconds{1e-6}, Seconds{2e-6}));
}

TEST(ClaimCost, can_always_rise_again) {
  Seconds cost = claim_cost_at_first;
  for (int claim = 0; claim < 1000; ++claim) cost = learned_claim_cost(cost, Seconds{});
  EXPECT_GT(cost, Seconds{});
}

}  // namespace
}  // namespace makespan::bag

// SPDX-License-Identifier: Apache-2.0
// Goal: batches grow by half as much each time. Method: pure calls.
#include "makespan/bag/policy/variable_increase.hpp"

#include <gtest/gtest.h>

#include "drain.hpp"
#include "makespan/base/error.hpp"

namespace makespan::bag {
namespace {

// ceil(1000 / 16) = 63, 63 * 1.5 = 94.5, 63 * 1.75 = 110.25, rounded down.
TEST(VariableIncrease, matches_the_sequence_for_1000_items_and_4_workers) {
  VariableIncreasePolicy policy{OptionValues{}};

  auto const chunks = Drain{.items = 1000, .speeds = {1, 1, 1, 1}}.chunks(policy);

  EXPECT_EQ(chunks, unrolled({{63, 4}, {94, 4}, {110, 3}, {42}}));
}

TEST(VariableIncrease, stays_below_twice_the_first_chunk) {
  VariableIncreasePolicy const policy{OptionValues{{"first_divisor", 100.0}}};
  LoopFacts const loop{.items = 1000, .work = Work{1000}, .workers = 1};

  EXPECT_EQ(policy.chunk_at(loop, 0), 10);
  EXPECT_EQ(policy.chunk_at(loop, 3), 18);
  EXPECT_EQ(policy.chunk_at(loop, 2000), 20);
}

TEST(VariableIncrease, rejects_a_first_chunk_above_an_even_share) {
  EXPECT_THROW(VariableIncreasePolicy{OptionValues({{"first_divisor", 0.5}})}, InputError);
}

}  // namespace
}  // namespace makespan::bag

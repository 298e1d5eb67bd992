// SPDX-License-Identifier: Apache-2.0
// Goal: batches grow by the same amount and make up the loop. Method: pure calls.
#include "makespan/bag/policy/fixed_increase.hpp"

#include <gtest/gtest.h>

#include "drain.hpp"
#include "makespan/base/error.hpp"

namespace makespan::bag {
namespace {

// 1000 / (4 * 5) = 50, each 2000 * (1 - 3/5) / (4 * 3 * 2) = 33.3 more: 50 83 117, as in the tables
// of the literature.
TEST(FixedIncrease, takes_three_batches_for_1000_items_and_4_workers) {
  FixedIncreasePolicy policy{OptionValues{}};

  auto const chunks = Drain{.items = 1000, .speeds = {1, 1, 1, 1}}.chunks(policy);

  EXPECT_EQ(chunks, unrolled({{50, 4}, {83, 4}, {117, 4}}));
}

// 240 / (2 * 4) = 30, then 480 * (1 - 2/4) / (2 * 2 * 1) = 60 more.
TEST(FixedIncrease, takes_as_many_batches_as_the_user_wants) {
  FixedIncreasePolicy policy{OptionValues{{"batches", 2}}};

  EXPECT_EQ((Drain{.items = 240, .speeds = {1, 1}}.chunks(policy)), unrolled({{30, 2}, {90, 2}}));
}

// The increase divides by the count of batches less one.
TEST(FixedIncrease, rejects_a_single_batch) {
  EXPECT_THROW(FixedIncreasePolicy{OptionValues({{"batches", 1.0}})}, InputError);
}

}  // namespace
}  // namespace makespan::bag

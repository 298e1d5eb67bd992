// SPDX-License-Identifier: Apache-2.0
// Goal: one item at each claim, or as many as the user asks for. Method: pure calls.
#include "makespan/bag/policy/self_scheduling.hpp"

#include <gtest/gtest.h>

#include "drain.hpp"
#include "makespan/base/error.hpp"

namespace makespan::bag {
namespace {

TEST(SelfScheduling, takes_one_item_at_a_time) {
  SelfSchedulingPolicy policy{OptionValues{}};

  auto const chunks = Drain{.items = 5, .speeds = {1, 40}}.chunks(policy);

  EXPECT_EQ(chunks, (std::vector<std::int64_t>{1, 1, 1, 1, 1}));
}

TEST(SelfScheduling, takes_fixed_chunks_and_the_rest) {
  SelfSchedulingPolicy policy{OptionValues{{"chunk_items", 4}}};

  auto const chunks = Drain{.items = 10, .speeds = {1, 1}}.chunks(policy);

  EXPECT_EQ(chunks, (std::vector<std::int64_t>{4, 4, 2}));
}

TEST(SelfScheduling, rejects_half_an_item) {
  EXPECT_THROW(SelfSchedulingPolicy{OptionValues({{"chunk_items", 1.5}})}, InputError);
}

}  // namespace
}  // namespace makespan::bag

// SPDX-License-Identifier: Apache-2.0
// Goal: each batch takes half of what is left. Method: pure calls.
#include "makespan/bag/policy/factoring_by_two.hpp"

#include <gtest/gtest.h>

#include "drain.hpp"
#include "makespan/base/error.hpp"

namespace makespan::bag {
namespace {

// 1000 / 4 / 2 = 125, 62.5, 31.25, 15.6, 7.8, 3.9, 1.95, rounded up. The table of the literature,
// 125 63 31 16 8 4 2 1, halves what rounding has left.
TEST(FactoringByTwo, halves_1000_items_for_4_workers) {
  FactoringByTwoPolicy policy{OptionValues{}};

  auto const chunks = Drain{.items = 1000, .speeds = {1, 1, 1, 1}}.chunks(policy);

  EXPECT_EQ(chunks, unrolled({{125, 4}, {63, 4}, {32, 4}, {16, 4}, {8, 4}, {4, 4}, {2, 4}}));
}

TEST(FactoringByTwo, ends_with_single_items) {
  FactoringByTwoPolicy const policy{OptionValues{}};
  LoopFacts const loop{.items = 1000, .work = Work{1000}, .workers = 4};

  EXPECT_EQ(policy.chunk_at(loop, 4 * 8), 1);
  EXPECT_EQ(policy.chunk_at(loop, 1'000'000), 1);
}

TEST(FactoringByTwo, has_no_options) {
  EXPECT_THROW(FactoringByTwoPolicy{OptionValues({{"factor", 2.0}})}, InputError);
}

}  // namespace
}  // namespace makespan::bag

// SPDX-License-Identifier: Apache-2.0
// Goal: the size follows 0.55 + n ln 2 / ln n, rounded down. Method: pure calls.
#include "makespan/bag/policy/modified_fixed_size.hpp"

#include <gtest/gtest.h>

#include "drain.hpp"
#include "makespan/base/error.hpp"

namespace makespan::bag {
namespace {

// n = 250: 0.55 + 250 * 0.693147 / 5.521461 = 31.93.
TEST(ModifiedFixedSize, is_31_for_1000_items_and_4_workers) {
  ModifiedFixedSizePolicy policy{OptionValues{}};

  auto const chunks = Drain{.items = 1000, .speeds = {1, 1, 1, 1}}.chunks(policy);

  EXPECT_EQ(chunks, unrolled({{31, 32}, {8}}));
}

// The logarithm of a share of one is 0.
TEST(ModifiedFixedSize, takes_small_shares_whole) {
  EXPECT_EQ(modified_fixed_size({.items = 1, .work = Work{1}, .workers = 1}), 1);
  EXPECT_EQ(modified_fixed_size({.items = 3, .work = Work{3}, .workers = 4}), 1);
  EXPECT_EQ(modified_fixed_size({.items = 8, .work = Work{8}, .workers = 4}), 2);
  // 0.55 + 3 * 0.693147 / 1.098612 = 2.44
  EXPECT_EQ(modified_fixed_size({.items = 12, .work = Work{12}, .workers = 4}), 2);
}

TEST(ModifiedFixedSize, has_no_options) {
  EXPECT_THROW(ModifiedFixedSizePolicy{OptionValues({{"claim_s", 1.0}})}, InputError);
}

}  // namespace
}  // namespace makespan::bag

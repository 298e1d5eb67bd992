// SPDX-License-Identifier: Apache-2.0
// Goal: the size follows Kruskal and Weiss from times that the user gives or that are measured, and
// has a sense where their formula has none. Method: pure calls.
#include "makespan/bag/policy/fixed_size.hpp"

#include <gtest/gtest.h>

#include "drain.hpp"
#include "makespan/base/error.hpp"

namespace makespan::bag {
namespace {

// sqrt(2) * 1000 * 0.5 / (1 * 4 * sqrt(ln 4)) = 150.14, to the power of 2/3 28.25.
TEST(FixedSize, is_29_for_1000_items_4_workers_and_claims_of_half_a_deviation) {
  FixedSizePolicy policy{
      OptionValues{{"claim_s", 0.5}, {"item_s_mean", 2.0}, {"item_s_deviation", 1.0}}};

  auto const chunks = Drain{.items = 1000, .speeds = {1, 1, 1, 1}}.chunks(policy);

  EXPECT_EQ(chunks, unrolled({{29, 34}, {14}}));
}

// The same with a measured mean of 1 s and a predicted spread of 1, once the first worker is back;
// before that as mfsc.
TEST(FixedSize, measures_what_is_not_given) {
  FixedSizePolicy policy{OptionValues{}};
  Drain const drain{
      .items = 1000, .speeds = {1, 1, 1, 1}, .claim_cost = Seconds{0.5}, .item_cost_spread = 1.0};

  EXPECT_EQ(drain.chunks(policy), unrolled({{31, 4}, {29, 30}, {6}}));
}

TEST(FixedSize, is_an_even_share_for_one_worker_and_at_most_that_for_more) {
  FixedSizePolicy policy{OptionValues{{"claim_s", 3600.0}, {"item_s_deviation", 1e-6}}};

  EXPECT_EQ((Drain{.items = 1000, .speeds = {1}}.chunks(policy)), unrolled({{1000}}));
  EXPECT_EQ((Drain{.items = 1000, .speeds = {1, 1, 1, 1}}.chunks(policy)), unrolled({{250, 4}}));
}

TEST(FixedSize, is_one_item_when_claims_are_free) {
  FixedSizePolicy policy{OptionValues{{"item_s_deviation", 1.0}}};

  EXPECT_EQ((Drain{.items = 9, .speeds = {1, 1, 1, 1}}.chunks(policy)), unrolled({{1, 9}}));
}

TEST(FixedSize, is_that_of_mfsc_without_spread) {
  FixedSizePolicy policy{OptionValues{{"claim_s", 0.5}}};

  EXPECT_EQ((Drain{.items = 1000, .speeds = {1, 1, 1, 1}}.chunks(policy)),
            unrolled({{31, 32}, {8}}));
}

TEST(FixedSize, rejects_a_negative_deviation) {
  EXPECT_THROW(FixedSizePolicy{OptionValues({{"item_s_deviation", -1.0}})}, InputError);
}

}  // namespace
}  // namespace makespan::bag

// SPDX-License-Identifier: Apache-2.0
// Goal: chunks are those of guided, cut by the spread. Method: pure calls.
#include "makespan/bag/policy/taper.hpp"

#include <gtest/gtest.h>

#include "drain.hpp"
#include "makespan/base/error.hpp"

namespace makespan::bag {
namespace {

// v = 1.3: for 250 items to each 250 + 0.845 - 1.3 sqrt(500 + 0.4225) = 221.76, for 194.5 then
// 169.69, for 152 130.16, and so on.
TEST(Taper, matches_the_sequence_for_1000_items_and_4_workers) {
  TaperPolicy policy{OptionValues{{"item_s_mean", 1.0}, {"item_s_deviation", 1.0}}};

  auto const chunks = Drain{.items = 1000, .speeds = {1, 1, 1, 1}}.chunks(policy);

  EXPECT_EQ(chunks,
            unrolled({{222}, {170}, {131}, {101}, {78}, {60}, {47},   {36}, {29},   {22},   {18},
                      {14},  {11},  {9},   {8},   {6},  {5},  {4, 2}, {3},  {2, 4}, {1, 14}}));
}

// ceil(R / P), the table of the literature.
TEST(Taper, is_guided_without_spread) {
  TaperPolicy policy{OptionValues{}};

  auto const chunks = Drain{.items = 1000, .speeds = {1, 1, 1, 1}}.chunks(policy);

  EXPECT_EQ(chunks, (std::vector<std::int64_t>{250, 188, 141, 106, 79, 59, 45, 33, 25, 19, 14,
                                               11,  8,   6,   4,   3,  3,  2,  1,  1,  1,  1}));
}

TEST(Taper, takes_single_items_when_the_spread_is_huge) {
  TaperPolicy policy{OptionValues{{"alpha", 100.0}}};

  auto const chunks = Drain{.items = 100, .speeds = {1, 1}, .item_cost_spread = 1e9}.chunks(policy);

  EXPECT_EQ(chunks, unrolled({{1, 100}}));
}

TEST(Taper, keeps_the_smallest_chunk_until_fewer_are_left) {
  TaperPolicy policy{OptionValues{{"chunk_items_min", 10}}};

  EXPECT_EQ((Drain{.items = 100, .speeds = {1, 1, 1, 1}}.chunks(policy)),
            (std::vector<std::int64_t>{25, 19, 14, 11, 10, 10, 10, 1}));
}

TEST(Taper, rejects_a_negative_alpha) {
  EXPECT_THROW(TaperPolicy{OptionValues({{"alpha", -1.0}})}, InputError);
}

}  // namespace
}  // namespace makespan::bag

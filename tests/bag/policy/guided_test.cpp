// SPDX-License-Identifier: Apache-2.0
// Goal: chunks follow ceil(R / P), with the smallest size that the user asks for. Method: pure
// calls.
#include "makespan/bag/policy/guided.hpp"

#include <gtest/gtest.h>

#include "drain.hpp"
#include "makespan/base/error.hpp"

namespace makespan::bag {
namespace {

// Worked out by hand from ceil(R / P), R = 100 and P = 4.
TEST(Guided, matches_the_sequence_for_100_items_and_4_workers) {
  GuidedPolicy policy{OptionValues{}};

  auto const chunks = Drain{.items = 100, .speeds = {1, 1, 1, 1}}.chunks(policy);

  EXPECT_EQ(chunks, (std::vector<std::int64_t>{25, 19, 14, 11, 8, 6, 5, 3, 3, 2, 1, 1, 1, 1}));
}

// The table of the literature.
TEST(Guided, matches_the_sequence_for_1000_items_and_4_workers) {
  GuidedPolicy policy{OptionValues{}};

  auto const chunks = Drain{.items = 1000, .speeds = {1, 1, 1, 1}}.chunks(policy);

  EXPECT_EQ(chunks, (std::vector<std::int64_t>{250, 188, 141, 106, 79, 59, 45, 33, 25, 19, 14,
                                               11,  8,   6,   4,   3,  3,  2,  1,  1,  1,  1}));
}

TEST(Guided, gives_all_to_a_single_worker) {
  GuidedPolicy policy{OptionValues{}};

  auto const chunks = Drain{.items = 7, .speeds = {1}}.chunks(policy);

  EXPECT_EQ(chunks, (std::vector<std::int64_t>{7}));
}

TEST(Guided, does_not_look_at_speeds) {
  GuidedPolicy policy{OptionValues{}};

  auto const equal = Drain{.items = 1000, .speeds = {1, 1, 1}}.chunks(policy);
  auto const unequal = Drain{.items = 1000, .speeds = {1, 40, 0}}.chunks(policy);

  EXPECT_EQ(equal, unequal);
}

TEST(Guided, keeps_the_smallest_chunk_until_fewer_are_left) {
  GuidedPolicy policy{OptionValues{{"chunk_items_min", 10}}};

  auto const chunks = Drain{.items = 100, .speeds = {1, 1, 1, 1}}.chunks(policy);

  EXPECT_EQ(chunks, (std::vector<std::int64_t>{25, 19, 14, 11, 10, 10, 10, 1}));
}

TEST(Guided, rejects_a_smallest_chunk_below_one) {
  EXPECT_THROW(GuidedPolicy{OptionValues({{"chunk_items_min", 0.0}})}, InputError);
}

}  // namespace
}  // namespace makespan::bag

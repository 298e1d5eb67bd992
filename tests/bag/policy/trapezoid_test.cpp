// SPDX-License-Identifier: Apache-2.0
// Goal: chunks fall in a straight line. Method: pure calls, against the line worked out by hand.
#include "makespan/bag/policy/trapezoid.hpp"

#include <gtest/gtest.h>

#include "drain.hpp"
#include "makespan/bag/policy/detail/trapezoid_line.hpp"
#include "makespan/base/error.hpp"

namespace makespan::bag {
namespace {

// F = 125, L = 1, S = ceil(2000 / 126) = 16, each 124 / 15 = 8.27 smaller, rounded up: 125, 116.7,
// 108.5, 100.2, 91.9, ... The table of the literature, 125 117 109 101 93 85 ..., rounds 8.27 down.
TEST(Trapezoid, matches_the_line_for_1000_items_and_4_workers) {
  TrapezoidPolicy policy{OptionValues{}};

  auto const chunks = Drain{.items = 1000, .speeds = {1, 1, 1, 1}}.chunks(policy);

  EXPECT_EQ(chunks, (std::vector<std::int64_t>{125, 117, 109, 101, 92, 84, 76, 68, 59, 51, 43, 35,
                                               26, 14}));
}

// F = 5, S = ceil(2000 / 6) = 334: each 4 / 333 smaller, which is 0 in whole items.
TEST(Trapezoid, falls_with_many_workers_too) {
  TrapezoidPolicy const policy{OptionValues{}};
  LoopFacts const loop{.items = 1000, .work = Work{1000}, .workers = 100};

  EXPECT_EQ(policy.chunk_at(loop, 0), 5);
  EXPECT_EQ(policy.chunk_at(loop, 167), 3);
  EXPECT_EQ(policy.chunk_at(loop, 333), 1);
  EXPECT_EQ(policy.chunk_at(loop, 100'000), 1);
}

TEST(Trapezoid, goes_from_the_first_to_the_last_chunk_that_the_user_wants) {
  TrapezoidPolicy policy{OptionValues{{"first_items", 10}, {"last_items", 4}}};

  // S = ceil(98 / 14) = 7, each 1 smaller.
  EXPECT_EQ((Drain{.items = 49, .speeds = {1, 1}}.chunks(policy)),
            (std::vector<std::int64_t>{10, 9, 8, 7, 6, 5, 4}));
}

TEST(TrapezoidLine, is_a_real_number) {
  // 125 - 124 / 15.
  LoopFacts const loop{.items = 1000, .work = Work{1000}, .workers = 4};

  EXPECT_DOUBLE_EQ(trapezoid_at({}, loop, 1.0), 125.0 - 124.0 / 15.0);
}

TEST(Trapezoid, never_rises) {
  TrapezoidPolicy policy{OptionValues{{"first_items", 4}, {"last_items", 10}}};

  EXPECT_EQ((Drain{.items = 12, .speeds = {1, 1}}.chunks(policy)), unrolled({{4, 3}}));
}

TEST(Trapezoid, rejects_a_last_chunk_of_nothing) {
  EXPECT_THROW(TrapezoidPolicy{OptionValues({{"last_items", 0.0}})}, InputError);
}

}  // namespace
}  // namespace makespan::bag

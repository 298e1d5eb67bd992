// SPDX-License-Identifier: Apache-2.0
// Goal: batches of the mean of the trapezoid's next chunks. Method: pure calls.
#include "makespan/bag/policy/trapezoid_factoring.hpp"

#include <gtest/gtest.h>

#include "drain.hpp"
#include "makespan/base/error.hpp"

namespace makespan::bag {
namespace {

// The trapezoid of trapezoid_test.cpp: the middle of the first four is 125 - 1.5 * 8.27 = 112.6,
// then 4 * 8.27 = 33.07 less each: 79.5, 46.5, 13.4. The literature's 113 81 49 17 rounds 8.27
// down.
TEST(TrapezoidFactoring, matches_the_means_for_1000_items_and_4_workers) {
  TrapezoidFactoringPolicy policy{OptionValues{}};

  auto const chunks = Drain{.items = 1000, .speeds = {1, 1, 1, 1}}.chunks(policy);

  EXPECT_EQ(chunks, unrolled({{113, 4}, {80, 4}, {47, 4}, {14, 2}, {12}}));
}

TEST(TrapezoidFactoring, is_the_trapezoid_for_one_worker) {
  TrapezoidFactoringPolicy policy{OptionValues{{"first_items", 10}, {"last_items", 4}}};

  EXPECT_EQ((Drain{.items = 49, .speeds = {1}}.chunks(policy)),
            (std::vector<std::int64_t>{10, 9, 8, 7, 6, 5, 4}));
}

TEST(TrapezoidFactoring, rejects_half_an_item) {
  EXPECT_THROW(TrapezoidFactoringPolicy{OptionValues({{"first_items", 0.5}})}, InputError);
}

}  // namespace
}  // namespace makespan::bag

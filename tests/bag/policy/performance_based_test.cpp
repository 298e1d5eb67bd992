// SPDX-License-Identifier: Apache-2.0
// Goal: even shares of one part, the rest as guided. Method: pure calls.
#include "makespan/bag/policy/performance_based.hpp"

#include <gtest/gtest.h>

#include "drain.hpp"
#include "makespan/base/error.hpp"

namespace makespan::bag {
namespace {

// Half of 1000 in shares of 125; of the other half 125 * 0.75^k: 125, 93.75, 70.3, 52.7, 39.6, ...
TEST(PerformanceBased, matches_the_sequence_for_1000_items_and_4_workers) {
  PerformanceBasedPolicy policy{OptionValues{}};

  auto const chunks = Drain{.items = 1000, .speeds = {1, 1, 1, 1}}.chunks(policy);

  EXPECT_EQ(chunks, (std::vector<std::int64_t>{125, 125, 125, 125, 125, 94, 71, 53, 40, 30, 23, 17,
                                               13, 10, 8, 6, 4, 3, 3}));
}

TEST(PerformanceBased, is_static_when_all_is_static) {
  PerformanceBasedPolicy policy{OptionValues{{"static_share", 1.0}}};

  EXPECT_EQ((Drain{.items = 1000, .speeds = {1, 1, 1, 1}}.chunks(policy)), unrolled({{250, 4}}));
}

TEST(PerformanceBased, gives_one_worker_both_parts) {
  PerformanceBasedPolicy policy{OptionValues{{"static_share", 0.25}}};

  EXPECT_EQ((Drain{.items = 100, .speeds = {1}}.chunks(policy)), unrolled({{25}, {75}}));
}

TEST(PerformanceBased, rejects_a_share_above_one) {
  EXPECT_THROW(PerformanceBasedPolicy{OptionValues({{"static_share", 1.5}})}, InputError);
}

}  // namespace
}  // namespace makespan::bag

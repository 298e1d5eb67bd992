// SPDX-License-Identifier: Apache-2.0
// Goal: chunks of a batch are as their workers' speeds, as known when the loop began. Method: pure
// calls on loops of equal items, so that work counts items.
#include "makespan/bag/policy/weighted_factoring.hpp"

#include <gtest/gtest.h>

#include "drain.hpp"
#include "makespan/bag/policy/detail/factoring_batch.hpp"
#include "makespan/base/error.hpp"

namespace makespan::bag {
namespace {

// Weights 1.5 and 0.5, half shares of what is left at each second claim: of 100 25, of 49 12.25, of
// 25 6.25, of 13 3.25, of 6 1.5, of 3 0.75, to the nearest item.
TEST(WeightedFactoring, weighs_by_speed) {
  WeightedFactoringPolicy policy{OptionValues{}};

  auto const chunks = Drain{.items = 100, .speeds = {3, 1}}.chunks(policy);

  EXPECT_EQ(chunks, (std::vector<std::int64_t>{38, 13, 18, 6, 9, 3, 5, 2, 2, 1, 1, 1, 1}));
}

TEST(WeightedFactoring, is_factoring_by_two_while_no_speed_is_known) {
  WeightedFactoringPolicy policy{OptionValues{}};

  auto const chunks = Drain{.items = 64, .speeds = {0, 0}}.chunks(policy);

  EXPECT_EQ(chunks, unrolled({{16, 2}, {8, 2}, {4, 2}, {2, 2}, {1, 4}}));
}

TEST(WeightedFactoring, keeps_its_weights_for_the_whole_loop) {
  WeightedFactoringPolicy policy{OptionValues{}};
  Drain const before{.items = 100, .speeds = {3, 1}};
  Drain const after{.items = 100, .speeds = {1, 3}};
  static_cast<void>(policy.next_chunk(before.request(0, 100)));
  static_cast<void>(policy.next_chunk(before.request(1, 62)));

  double const work = policy.next_chunk(after.request(2, 48)).work()->value();
  double const anew = policy.next_chunk(after.request(0, 48)).work()->value();

  EXPECT_DOUBLE_EQ(work, 1.5 * 12.0);
  EXPECT_DOUBLE_EQ(anew, 0.5 * 12.0);
}

TEST(FactoringBatch, begins_every_so_many_claims_as_there_are_workers) {
  Drain const drain{.items = 60, .speeds = {1, 1, 1}};
  FactoringBatch batch;

  EXPECT_TRUE(batch.begins(drain.request(0, 60)));
  EXPECT_FALSE(batch.begins(drain.request(1, 50)));
  EXPECT_FALSE(batch.begins(drain.request(2, 40)));
  EXPECT_EQ(*batch.chunk(drain.request(2, 40), 0.5).work(), Work{5.0});
  EXPECT_TRUE(batch.begins(drain.request(3, 30)));
  EXPECT_EQ(*batch.chunk(drain.request(3, 30), 1.0).work(), Work{5.0});
}

TEST(WeightedFactoring, has_no_options) {
  EXPECT_THROW(WeightedFactoringPolicy{OptionValues({{"weight", 1.0}})}, InputError);
}

}  // namespace
}  // namespace makespan::bag

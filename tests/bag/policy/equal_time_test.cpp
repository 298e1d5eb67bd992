// SPDX-License-Identifier: Apache-2.0
// Goal: the four rules. Every worker is back after the same time; a fast one gets enough to run at
// full speed; chunks shrink near the end; claims are few. Method: pure calls on loops of equal
// items, so that work counts items.
#include "makespan/bag/policy/equal_time.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "drain.hpp"
#include "makespan/base/error.hpp"

namespace makespan::bag {
namespace {

// Without limits on the time of a chunk, so that the formula alone is seen.
OptionValues unlimited(double fraction) {
  return {{"fraction", fraction}, {"chunk_s_min", 0.0}, {"chunk_s_max", 3600.0}};
}

double work_of(EqualTimePolicy& policy, ChunkRequest const& request) {
  return policy.next_chunk(request).work()->value();
}

TEST(EqualTime, takes_the_same_time_on_workers_40_times_as_fast) {
  EqualTimePolicy policy{unlimited(0.25)};
  Drain const drain{.items = 41'000, .speeds = {1.0, 40.0}};

  double const slow = work_of(policy, drain.request(0, drain.items));
  double const fast = work_of(policy, drain.request(1, drain.items));

  // R / sum of speeds is 1000 s, a quarter of it 250 s: 250 items at speed 1, 10 000 at speed 40.
  EXPECT_DOUBLE_EQ(slow, 250.0);
  EXPECT_DOUBLE_EQ(fast, 10'000.0);
}

TEST(EqualTime, shrinks_geometrically_as_the_end_comes_near) {
  EqualTimePolicy policy{unlimited(0.25)};
  Drain const drain{.items = 64, .speeds = {1.0}};

  auto const chunks = drain.chunks(policy);

  // A quarter of the rest, to the nearest item: 64/4, 48/4, 36/4, 27/4 = 6.75, 20/4, ...
  EXPECT_EQ(chunks, (std::vector<std::int64_t>{16, 12, 9, 7, 5, 4, 3, 2, 2, 1, 1, 1, 1}));
}

TEST(EqualTime, claims_grow_with_the_logarithm_of_the_bag) {
  EqualTimePolicy policy{unlimited(0.25)};

  auto const thousand = Drain{.items = 1'000, .speeds = {1.0, 40.0}}.chunks(policy);
  auto const million = Drain{.items = 1'000'000, .speeds = {1.0, 40.0}}.chunks(policy);

  // Two claims, one of each worker, leave three quarters: ln(1000) / ln(4/3) = 24 pairs of claims
  // more at most.
  EXPECT_LE(million.size(), thousand.size() + 2 * 25);
}

TEST(EqualTime, never_takes_less_than_20_claims_are_worth) {
  EqualTimePolicy policy{unlimited(0.25)};
  Drain const drain{.items = 1'000, .speeds = {10.0, 10.0}, .claim_cost = Seconds{0.5}};

  // 20 claims take 10 s, in which this worker does 100 items. A quarter of the rest is 12.5 s, then
  // 5 s, then 0.05 s.
  EXPECT_DOUBLE_EQ(work_of(policy, drain.request(0, 1'000)), 125.0);
  EXPECT_DOUBLE_EQ(work_of(policy, drain.request(0, 400)), 100.0);
  EXPECT_DOUBLE_EQ(work_of(policy, drain.request(0, 4)), 4.0);
}

TEST(EqualTime, keeps_a_chunk_between_its_shortest_and_longest_time) {
  EqualTimePolicy policy{
      OptionValues{{"fraction", 0.25}, {"chunk_s_min", 0.5}, {"chunk_s_max", 2.0}}};
  Drain const drain{.items = 100'000, .speeds = {10.0, 30.0}};

  EXPECT_DOUBLE_EQ(work_of(policy, drain.request(0, 100'000)), 20.0);
  EXPECT_DOUBLE_EQ(work_of(policy, drain.request(1, 100'000)), 60.0);
  EXPECT_DOUBLE_EQ(work_of(policy, drain.request(0, 40)), 5.0);
  EXPECT_DOUBLE_EQ(work_of(policy, drain.request(1, 40)), 15.0);
}

TEST(EqualTime, lets_dear_claims_outweigh_the_longest_chunk) {
  EqualTimePolicy policy{OptionValues{{"chunk_s_max", 1.0}}};
  Drain const drain{.items = 100'000, .speeds = {10.0}, .claim_cost = Seconds{1.0}};

  // 200 claims at most, and 20 at least.
  EXPECT_DOUBLE_EQ(work_of(policy, drain.request(0, 100'000)), 2000.0);
  EXPECT_DOUBLE_EQ(work_of(policy, drain.request(0, 4'000)), 1000.0);
  EXPECT_DOUBLE_EQ(work_of(policy, drain.request(0, 400)), 200.0);
}

TEST(EqualTime, learns_with_one_item) {
  EqualTimePolicy policy{OptionValues{}};
  Drain const drain{.items = 100'000, .speeds = {0.0, 40.0}};

  ChunkSize const unknown = policy.next_chunk(drain.request(0, drain.items));
  ChunkSize const known = policy.next_chunk(drain.request(1, drain.items));

  ASSERT_NE(unknown.items(), nullptr);
  EXPECT_EQ(*unknown.items(), 1);
  EXPECT_NE(known.work(), nullptr);
}

struct FractionCase {
  std::int64_t items;
  double item_cost_spread;
  double fraction;
};

TEST(EqualTime, takes_a_quarter_of_big_even_bags_and_an_eighth_of_others) {
  EqualTimePolicy policy{OptionValues{{"chunk_s_min", 0.0}, {"chunk_s_max", 3600.0}}};

  // Two workers: small is below 100 items.
  for (auto const& [items, spread, fraction] :
       {FractionCase{100, 0.0, 0.25}, FractionCase{99, 0.0, 0.125}, FractionCase{100, 0.5, 0.25},
        FractionCase{100, 0.51, 0.125}}) {
    Drain const drain{.items = items, .speeds = {1.0, 1.0}, .item_cost_spread = spread};
    EXPECT_DOUBLE_EQ(work_of(policy, drain.request(0, items)),
                     fraction * static_cast<double>(items) / 2.0);
  }
}

TEST(EqualTime, is_adaptive_weighted_factoring_at_one_half) {
  EqualTimePolicy policy{unlimited(0.5)};
  Drain const drain{.items = 900, .speeds = {1.0, 2.0, 6.0}};

  // Variant C: w * R / (2 P) with weights w = P * speed / sum of speeds.
  EXPECT_DOUBLE_EQ(work_of(policy, drain.request(0, 900)), 50.0);
  EXPECT_DOUBLE_EQ(work_of(policy, drain.request(1, 900)), 100.0);
  EXPECT_DOUBLE_EQ(work_of(policy, drain.request(2, 900)), 300.0);
}

TEST(EqualTime, rejects_a_fraction_above_one) {
  try {
    EqualTimePolicy const policy{OptionValues{{"fraction", 1.5}}};
    FAIL() << "accepted";
  } catch (InputError const& error) {
    EXPECT_STREQ(error.what(),
                 "equal_time option fraction = 1.5 (outside 0 .. 1): give 0, the default, or "
                 "another one in that range");
  }
}

}  // namespace
}  // namespace makespan::bag

// SPDX-License-Identifier: Apache-2.0
// Goal: chunks follow the published formula of measured means and spreads, after some small ones
// and within a limit. Method: single reports and requests worked out by hand.
#include "makespan/bag/policy/adaptive_factoring.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "drain.hpp"
#include "makespan/base/error.hpp"

namespace makespan::bag {
namespace {

// Two chunks of one item for each worker, `apart` below and above its mean.
void teach(ChunkPolicy& policy, std::vector<double> const& means, double apart) {
  for (int worker = 0; worker < static_cast<int>(means.size()); ++worker) {
    double const mean = means[static_cast<std::size_t>(worker)];
    for (double const seconds : {mean - apart, mean + apart}) {
      policy.chunk_finished({.worker = worker,
                             .step = worker,
                             .items = 1,
                             .work = Work{1},
                             .computing = Seconds{seconds},
                             .with_claim = Seconds{seconds}});
    }
  }
}

double work_of(ChunkPolicy& policy, ChunkRequest const& request) {
  return policy.next_chunk(request).work()->value();
}

OptionValues published(double share_max) {
  return {{"learning_chunks", 2}, {"share_max", share_max}};
}

Drain const two{.items = 100, .speeds = {1, 1}};

// mu = 1, sigma^2 = 2 * 0.25 = 0.5 for both: D = 1, T = 1/2, (1 + 100 - sqrt(1 + 200)) / 2
// = 43.411.
TEST(AdaptiveFactoring, matches_the_formula) {
  AdaptiveFactoringPolicy policy{published(1.0)};
  static_cast<void>(policy.next_chunk(two.request(0, 100)));
  teach(policy, {1.0, 1.0}, 0.5);

  EXPECT_NEAR(work_of(policy, two.request(4, 100)), (101.0 - std::sqrt(201.0)) / 2.0, 1e-12);
}

// mu = 1 and 2, sigma^2 = 0.5 for both: D = 0.5 + 0.25, T = 1 / 1.5; for R = 90 and T R = 60 the
// faster gets (0.75 + 120 - sqrt(0.5625 + 180)) / 2 and the slower half of that. With sigma in
// place of its square D would be 1.06.
TEST(AdaptiveFactoring, sums_variances_over_means) {
  AdaptiveFactoringPolicy policy{published(1.0)};
  static_cast<void>(policy.next_chunk(two.request(0, 100)));
  teach(policy, {1.0, 2.0}, 0.5);

  double const expected = (120.75 - std::sqrt(180.5625)) / 2.0;
  EXPECT_NEAR(work_of(policy, two.request(4, 90)), expected, 1e-12);
  EXPECT_NEAR(work_of(policy, two.request(5, 90)), expected / 2.0, 1e-12);
}

TEST(AdaptiveFactoring, shares_all_by_speed_without_spread) {
  AdaptiveFactoringPolicy policy{published(1.0)};
  static_cast<void>(policy.next_chunk(two.request(0, 100)));
  teach(policy, {1.0, 3.0}, 0.0);

  EXPECT_DOUBLE_EQ(work_of(policy, two.request(4, 100)), 75.0);
  EXPECT_DOUBLE_EQ(work_of(policy, two.request(5, 100)), 25.0);
}

TEST(AdaptiveFactoring, keeps_half_of_what_it_could_hand_out) {
  AdaptiveFactoringPolicy policy{published(0.5)};
  static_cast<void>(policy.next_chunk(two.request(0, 100)));
  teach(policy, {1.0, 3.0}, 0.0);

  EXPECT_DOUBLE_EQ(work_of(policy, two.request(4, 100)), 37.5);
}

TEST(AdaptiveFactoring, learns_with_a_200th_of_an_even_share_four_times) {
  AdaptiveFactoringPolicy policy{OptionValues{}};

  auto const chunks = Drain{.items = 10'000, .speeds = {1}}.chunks(policy);

  EXPECT_EQ(std::vector(chunks.begin(), chunks.begin() + 5), unrolled({{50, 4}, {4900}}));
}

// The one still learning counts as the other, which is the fastest: T = 1/2.
TEST(AdaptiveFactoring, takes_a_learning_worker_as_the_fastest) {
  AdaptiveFactoringPolicy policy{published(1.0)};
  static_cast<void>(policy.next_chunk(two.request(0, 100)));
  teach(policy, {1.0}, 0.0);

  EXPECT_DOUBLE_EQ(work_of(policy, two.request(2, 80)), 40.0);
}

TEST(AdaptiveFactoring, forgets_when_a_loop_begins) {
  AdaptiveFactoringPolicy policy{OptionValues{}};
  Drain const drain{.items = 10'000, .speeds = {1, 40}};

  auto const first = drain.chunks(policy);

  EXPECT_EQ(drain.chunks(policy), first);
}

// One tells nothing of the spread.
TEST(AdaptiveFactoring, rejects_a_single_learning_chunk) {
  EXPECT_THROW(AdaptiveFactoringPolicy{OptionValues({{"learning_chunks", 1.0}})}, InputError);
}

}  // namespace
}  // namespace makespan::bag

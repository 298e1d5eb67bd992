// SPDX-License-Identifier: Apache-2.0
// Goal: the four variants differ in when they look at what is left and in whether claims count.
// Method: whole loops of equal items worked out by hand, workers 3 and 1 items a second, and single
// reports.
#include "makespan/bag/policy/awf_variants.hpp"

#include <gtest/gtest.h>

#include "drain.hpp"
#include "makespan/base/error.hpp"

namespace makespan::bag {
namespace {

// Weights of batches: 1 and 1; again, since the second worker is not back when the batch begins;
// then 1.5 and 0.5. Half shares of 100, 50, 24, 12, 5 and 2.
TEST(AwfVariants, B_weighs_each_batch_anew) {
  AwfBPolicy policy{PolicyOptions{}};

  auto const chunks = Drain{.items = 100, .speeds = {3, 1}}.chunks(policy);

  EXPECT_EQ(chunks, (std::vector<std::int64_t>{25, 25, 13, 13, 9, 3, 5, 2, 2, 1, 1, 1}));
}

// Half shares of 100, 75, 56, then with weights 0.5 of 42, 1.5 of 37, and so on.
TEST(AwfVariants, C_weighs_each_chunk_anew) {
  AwfCPolicy policy{PolicyOptions{}};

  auto const chunks = Drain{.items = 100, .speeds = {3, 1}}.chunks(policy);

  EXPECT_EQ(chunks, (std::vector<std::int64_t>{25, 19, 14, 5, 14, 3, 8, 2, 4, 1, 2, 1, 1, 1}));
}

TEST(AwfVariants, D_and_E_are_B_and_C_when_claims_are_free) {
  Drain const drain{.items = 100, .speeds = {3, 1}};
  AwfBPolicy b{PolicyOptions{}};
  AwfCPolicy c{PolicyOptions{}};
  AwfDPolicy d{PolicyOptions{}};
  AwfEPolicy e{PolicyOptions{}};

  EXPECT_EQ(drain.chunks(d), drain.chunks(b));
  EXPECT_EQ(drain.chunks(e), drain.chunks(c));
}

// Both compute at one item a second; the claim makes the first a fifth as fast.
double work_with_dear_claims(ChunkPolicy& policy) {
  Drain const drain{.items = 96, .speeds = {0, 0}};
  static_cast<void>(policy.next_chunk(drain.request(0, 96)));
  for (int worker = 0; worker < 2; ++worker) {
    policy.chunk_finished({.worker = worker,
                           .step = worker,
                           .items = 10,
                           .work = Work{10},
                           .computing = Seconds{10},
                           .with_claim = Seconds{worker == 0 ? 50.0 : 10.0}});
  }
  return policy.next_chunk(drain.request(2, 96)).work()->value();
}

TEST(AwfVariants, D_and_E_count_claims) {
  AwfBPolicy b{PolicyOptions{}};
  AwfCPolicy c{PolicyOptions{}};
  AwfDPolicy d{PolicyOptions{}};
  AwfEPolicy e{PolicyOptions{}};

  EXPECT_DOUBLE_EQ(work_with_dear_claims(b), 24.0);
  EXPECT_DOUBLE_EQ(work_with_dear_claims(c), 24.0);
  // Speeds 0.2 and 1, weights 1/3 and 5/3.
  EXPECT_DOUBLE_EQ(work_with_dear_claims(d), 8.0);
  EXPECT_DOUBLE_EQ(work_with_dear_claims(e), 8.0);
}

TEST(AwfVariants, have_no_options) {
  EXPECT_THROW(AwfBPolicy{PolicyOptions({{"weight", 1.0}})}, InputError);
  EXPECT_THROW(AwfCPolicy{PolicyOptions({{"weight", 1.0}})}, InputError);
  EXPECT_THROW(AwfDPolicy{PolicyOptions({{"weight", 1.0}})}, InputError);
  EXPECT_THROW(AwfEPolicy{PolicyOptions({{"weight", 1.0}})}, InputError);
}

}  // namespace
}  // namespace makespan::bag

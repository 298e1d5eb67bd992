// SPDX-License-Identifier: Apache-2.0
// Goal: the four variants differ in when they look at what is left and in whether claims count.
// Method: whole loops of equal items worked out by hand, workers 3 and 1 items a second, and single
// reports.
#include "makespan/bag/policy/awf_variants.hpp"

#include <gtest/gtest.h>

#include "drain.hpp"
#include "makespan/bag/policy/policy_registry.hpp"
#include "makespan/base/error.hpp"

namespace makespan::bag {
namespace {

// Half shares of 100, 50, 31, 15, 7, 3 and 1. Weights are 1 until both are known, which is at the
// fourth claim, then 1.5 and 0.5.
TEST(AwfVariants, B_weighs_each_batch_anew) {
  AwfBPolicy policy{OptionValues{}};

  auto const chunks = Drain{.items = 100, .speeds = {3, 1}}.chunks(policy);

  EXPECT_EQ(chunks, (std::vector<std::int64_t>{25, 25, 13, 6, 12, 4, 6, 2, 3, 1, 1, 1, 1}));
}

// Half shares of 100, 75, 56, then with weights 0.5 of 42, 1.5 of 37, and so on.
TEST(AwfVariants, C_weighs_each_chunk_anew) {
  AwfCPolicy policy{OptionValues{}};

  auto const chunks = Drain{.items = 100, .speeds = {3, 1}}.chunks(policy);

  EXPECT_EQ(chunks, (std::vector<std::int64_t>{25, 19, 14, 5, 14, 3, 8, 2, 4, 1, 2, 1, 1, 1}));
}

TEST(AwfVariants, D_and_E_are_B_and_C_when_claims_are_free) {
  Drain const drain{.items = 100, .speeds = {3, 1}};
  AwfBPolicy b{OptionValues{}};
  AwfCPolicy c{OptionValues{}};
  AwfDPolicy d{OptionValues{}};
  AwfEPolicy e{OptionValues{}};

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
  AwfBPolicy b{OptionValues{}};
  AwfCPolicy c{OptionValues{}};
  AwfDPolicy d{OptionValues{}};
  AwfEPolicy e{OptionValues{}};

  EXPECT_DOUBLE_EQ(work_with_dear_claims(b), 24.0);
  EXPECT_DOUBLE_EQ(work_with_dear_claims(c), 24.0);
  // Speeds 0.2 and 1, weights 1/3 and 5/3.
  EXPECT_DOUBLE_EQ(work_with_dear_claims(d), 8.0);
  EXPECT_DOUBLE_EQ(work_with_dear_claims(e), 8.0);
}

// A hundredth of 1000 / 2, until the worker is back.
TEST(AwfVariants, learn_with_a_small_chunk_if_the_user_wants) {
  Drain const drain{.items = 1000, .speeds = {3, 1}};
  for (char const* const name : {"awf_b", "awf_c", "awf_d", "awf_e"}) {
    auto const policy = make_policy(name, {{"learning_share", 0.01}});

    auto const chunks = drain.chunks(*policy);

    EXPECT_EQ(std::vector(chunks.begin(), chunks.begin() + 3), unrolled({{5, 2}, {248}})) << name;
  }
}

TEST(AwfVariants, reject_a_learning_share_above_one) {
  EXPECT_THROW(AwfBPolicy{OptionValues({{"learning_share", 1.5}})}, InputError);
  EXPECT_THROW(AwfCPolicy{OptionValues({{"learning_share", 1.5}})}, InputError);
  EXPECT_THROW(AwfDPolicy{OptionValues({{"learning_share", 1.5}})}, InputError);
  EXPECT_THROW(AwfEPolicy{OptionValues({{"learning_share", 1.5}})}, InputError);
}

}  // namespace
}  // namespace makespan::bag

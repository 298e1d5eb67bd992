// SPDX-License-Identifier: Apache-2.0
// Goal: chunks follow the published formula, and have a sense where it has none. Method: pure
// calls. The first chunk is worked out by hand; the sequence comes from a second writing of the
// formula, in Python, that follows the same workers.
#include "makespan/bag/policy/bold.hpp"

#include <gtest/gtest.h>

#include "drain.hpp"
#include "makespan/base/error.hpp"

namespace makespan::bag {
namespace {

OptionValues const times{{"item_s_mean", 1.0}, {"item_s_deviation", 1.0}, {"claim_s", 0.5}};

// a = 2, b = 16 ln 16 = 44.36, c1 = 0.5 / ln 2 = 0.7213, c2 = 1.808, q = 250, v = 0.8493, d = 3014,
// s = 2 ln(3014 / 1.808) * 1.25 = 18.55; 250 + 9.27 - sqrt(18.55 * 254.64) + 0.7213 ln(44.36 *
// 0.8493
// * 5.521) = 194.4.
TEST(Bold, matches_the_first_chunk_for_1000_items_and_4_workers) {
  BoldPolicy policy{times};

  EXPECT_EQ(
      *policy.next_chunk(Drain{.items = 1000, .speeds = {1, 1, 1, 1}}.request(0, 1000)).items(),
      195);
}

TEST(Bold, matches_the_sequence_for_1000_items_and_4_workers) {
  BoldPolicy policy{times};
  Drain const drain{.items = 1000, .speeds = {1, 1, 1, 1}, .claim_cost = Seconds{0.5}};

  EXPECT_EQ(drain.chunks(policy),
            (std::vector<std::int64_t>{195, 196, 197, 200, 34, 35, 36, 35, 13, 12, 11,
                                       10,  5,   5,   4,   4,  2,  3,  1,  1,  1}));
}

TEST(Bold, takes_an_even_share_of_the_rest_when_items_are_known_to_be_equal) {
  BoldPolicy policy{OptionValues{{"item_s_mean", 1.0}, {"claim_s", 0.5}}};

  EXPECT_EQ(
      *policy.next_chunk(Drain{.items = 1000, .speeds = {1, 1, 1, 1}}.request(0, 1000)).items(),
      250);
}

TEST(Bold, takes_half_a_share_while_it_knows_no_time) {
  BoldPolicy policy{OptionValues{{"claim_s", 0.5}}};

  EXPECT_EQ(
      *policy.next_chunk(Drain{.items = 1000, .speeds = {1, 1, 1, 1}}.request(0, 1000)).items(),
      125);
}

TEST(Bold, takes_single_items_when_claims_are_free) {
  BoldPolicy policy{OptionValues{}};

  EXPECT_EQ((Drain{.items = 9, .speeds = {1, 1, 1, 1}}.chunks(policy)), unrolled({{1, 9}}));
}

TEST(Bold, measures_what_is_not_given) {
  BoldPolicy policy{OptionValues{}};
  Drain const drain{
      .items = 1000, .speeds = {1, 1, 1, 1}, .claim_cost = Seconds{0.5}, .item_cost_spread = 1.0};
  BoldPolicy informed{times};

  auto const chunks = drain.chunks(policy);
  static_cast<void>(informed.next_chunk(drain.request(0, 1000)));

  // Half shares of 1000, 875, 765 and 669 first; when the first worker is back, its mean is known.
  EXPECT_EQ(std::vector(chunks.begin(), chunks.begin() + 4),
            (std::vector<std::int64_t>{125, 110, 96, 84}));
  EXPECT_GT(chunks[4], 100);
}

TEST(Bold, rejects_a_negative_cost_of_a_claim) {
  EXPECT_THROW(BoldPolicy{OptionValues({{"claim_s", -1.0}})}, InputError);
}

}  // namespace
}  // namespace makespan::bag

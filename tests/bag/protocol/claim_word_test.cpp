// SPDX-License-Identifier: Apache-2.0
// Goal: a word of claims keeps count and cursor apart. Method: its ends.
#include "makespan/bag/protocol/claim_word.hpp"

#include <gtest/gtest.h>

namespace makespan::bag {
namespace {

TEST(ClaimWord, begins_at_nothing) {
  EXPECT_EQ(ClaimWord().step(), 0);
  EXPECT_EQ(ClaimWord().cursor(), 0);
}

TEST(ClaimWord, counts_claims_and_moves_the_cursor) {
  ClaimWord word;
  word = word.claimed_to(5).claimed_to(ClaimWord::cursor_max);

  EXPECT_EQ(word.step(), 2);
  EXPECT_EQ(word.cursor(), ClaimWord::cursor_max);
  EXPECT_EQ(ClaimWord(word.bits()).step(), 2);
}

TEST(ClaimWord, is_moved_by_an_addition_as_by_a_claim) {
  ClaimWord const word = ClaimWord().claimed_to(5);

  EXPECT_EQ(word.bits() + ClaimWord::step_of(7, 3), word.claimed_to(12, 3).bits());
}

TEST(ClaimWord, starts_counting_again_without_harm_to_the_cursor) {
  ClaimWord word(((std::uint64_t{1} << 24U) - 1) << 40U);

  word = word.claimed_to(7);

  EXPECT_EQ(word.step(), 0);
  EXPECT_EQ(word.cursor(), 7);
}

// Claims that saw the bag before it was stopped add to the word, one of each worker at most.
TEST(ClaimWord, stays_spent_whatever_late_claims_add) {
  constexpr std::int64_t items = 1000;
  constexpr int workers = 100;
  std::uint64_t word = ClaimWord::spent(items).bits();

  for (int worker = 0; worker < workers; ++worker) {
    word += ClaimWord::step_of(items, workers);
    EXPECT_GE(ClaimWord(word).cursor(), items);
  }
}

}  // namespace
}  // namespace makespan::bag

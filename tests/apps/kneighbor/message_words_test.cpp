// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/kneighbor/detail/message_words.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace makespan::kneighbor {
namespace {

TEST(MessageWords, Are_the_same_for_the_same_object_only) {
  EXPECT_EQ(words_of(3, 64), words_of(3, 64));
  EXPECT_NE(words_of(3, 64), words_of(4, 64));
  EXPECT_EQ(words_of(3, 64).size(), 8U);
  EXPECT_TRUE(words_of(3, 0).empty());
}

TEST(MessageWords, A_change_anywhere_shows) {
  auto words = words_of(1, 128);
  std::uint64_t const whole = checksum_of(words);

  for (std::uint64_t& word : words) {
    for (int bit = 0; bit < 64; ++bit) {
      word ^= std::uint64_t{1} << bit;
      EXPECT_NE(checksum_of(words), whole);
      word ^= std::uint64_t{1} << bit;
    }
  }
  std::swap(words[2], words[9]);
  EXPECT_NE(checksum_of(words), whole);
}

TEST(MessageWords, The_checksum_is_the_weighted_sum) {
  std::vector<std::uint64_t> const words{5, 7, 11};

  EXPECT_EQ(checksum_of(words), 5U + 3U * 7U + 5U * 11U);
  EXPECT_EQ(checksum_of({}), 0U);
}

TEST(MessageWords, Turns_follow_on_each_other) {
  EXPECT_EQ(turn(17, 0), 17U);
  EXPECT_EQ(turn(turn(17, 40), 2), turn(17, 42));
}

}  // namespace
}  // namespace makespan::kneighbor

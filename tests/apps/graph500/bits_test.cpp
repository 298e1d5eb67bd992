// SPDX-License-Identifier: Apache-2.0
// Goal: bits are found where they were set, and setting tells who was first. Method: a few bits of
// two words.
#include "makespan/apps/graph500/detail/bits.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

namespace makespan::graph500 {
namespace {

TEST(BitsTest, are_those_that_were_set) {
  std::array<std::uint64_t, 2> words{};
  for (Vertex const vertex : {0U, 63U, 64U, 70U}) {
    EXPECT_FALSE(has_bit(words.data(), vertex));
    EXPECT_TRUE(set_bit(words.data(), vertex));
    EXPECT_FALSE(set_bit(words.data(), vertex)) << "it was set before";
    EXPECT_TRUE(has_bit(words.data(), vertex));
  }
  EXPECT_EQ(words[0], bit_of(0) | bit_of(63));

  std::vector<std::int64_t> found;
  each_bit(words[0], 640, [&](std::int64_t number) { found.push_back(number); });
  each_bit(words[1], 704, [&](std::int64_t number) { found.push_back(number); });
  EXPECT_EQ(found, (std::vector<std::int64_t>{640, 703, 704, 710}));
}

}  // namespace
}  // namespace makespan::graph500

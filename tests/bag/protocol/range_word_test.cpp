// SPDX-License-Identifier: Apache-2.0
// Goal: a range goes into a word and comes back. Method: the ends of what fits, and beyond.
#include "makespan/bag/protocol/range_word.hpp"

#include <gtest/gtest.h>

#include "makespan/base/contracts.hpp"

namespace makespan::bag {
namespace {

TEST(RangeWord, comes_back_as_it_went_in) {
  for (ItemRange const range :
       {ItemRange{0, 1}, ItemRange{5, 9}, ItemRange{0, RangeWord::items_max},
        ItemRange{RangeWord::end_max - RangeWord::items_max, RangeWord::end_max},
        ItemRange{RangeWord::end_max - 1, RangeWord::end_max}}) {
    EXPECT_EQ(RangeWord::of(range).range(), range);
    EXPECT_EQ(RangeWord(RangeWord::of(range).bits()).range(), range);
  }
}

TEST(RangeWord, is_0_when_empty) {
  EXPECT_EQ(RangeWord().bits(), 0U);
  EXPECT_TRUE(RangeWord().range().empty());
  EXPECT_EQ(RangeWord::of({7, 7}).bits(), 0U);
}

TEST(RangeWord, expects_what_fits) {
  EXPECT_THROW(static_cast<void>(RangeWord::of({0, RangeWord::items_max + 1})), ContractViolated);
  EXPECT_THROW(static_cast<void>(RangeWord::of({RangeWord::end_max, RangeWord::end_max + 1})),
               ContractViolated);
  EXPECT_THROW(static_cast<void>(RangeWord::of({-1, 1})), ContractViolated);
}

}  // namespace
}  // namespace makespan::bag

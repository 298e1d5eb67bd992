// SPDX-License-Identifier: Apache-2.0
// Goal: the hash is splitmix64's. Method: its first numbers from seed 0, as the authors' program
// prints them.
#include "makespan/base/mixed_bits.hpp"

#include <gtest/gtest.h>

namespace makespan {
namespace {

TEST(MixedBits, Are_those_of_splitmix64) {
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;
  EXPECT_EQ(mixed_bits(golden), 0xe220a8397b1dcdafU);
  EXPECT_EQ(mixed_bits(2 * golden), 0x6e789e6aa1b965f4U);
  EXPECT_EQ(mixed_bits(3 * golden), 0x06c45d188009454fU);
  EXPECT_EQ(mixed_bits(0), 0U);
}

}  // namespace
}  // namespace makespan

// SPDX-License-Identifier: Apache-2.0
#include "makespan/base/checked_cast.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

// Method: each pair of number families at both of its edges, one step inside and one outside.
namespace makespan {
namespace {

constexpr std::int64_t int32_max = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t int32_min = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t two_to_53 = std::int64_t{1} << 53;  // above, doubles skip integers
constexpr double two_to_63 = 9223372036854775808.0;

TEST(CheckedCast, keeps_integers_that_fit) {
  EXPECT_EQ(checked_cast<std::int32_t>(int32_max), 2147483647);
  EXPECT_EQ(checked_cast<std::uint8_t>(255), 255);
}

TEST(CheckedCast, refuses_integers_that_do_not) {
  EXPECT_THROW((void)checked_cast<std::int32_t>(int32_max + 1), std::range_error);
  EXPECT_THROW((void)checked_cast<std::int32_t>(int32_min - 1), std::range_error);
  EXPECT_THROW((void)checked_cast<std::uint64_t>(-1), std::range_error);
}

TEST(CheckedCast, keeps_whole_doubles_as_integers) {
  EXPECT_EQ(checked_cast<std::int64_t>(-two_to_63), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(checked_cast<std::uint32_t>(4294967295.0), 4294967295U);
}

TEST(CheckedCast, refuses_doubles_that_no_integer_holds) {
  EXPECT_THROW((void)checked_cast<std::int64_t>(0.5), std::range_error);
  EXPECT_THROW((void)checked_cast<std::int64_t>(two_to_63), std::range_error);
  EXPECT_THROW((void)checked_cast<std::uint32_t>(4294967296.0), std::range_error);
  EXPECT_THROW((void)checked_cast<std::int32_t>(std::numeric_limits<double>::quiet_NaN()),
               std::range_error);
  EXPECT_THROW((void)checked_cast<std::int32_t>(std::numeric_limits<double>::infinity()),
               std::range_error);
}

TEST(CheckedCast, keeps_integers_that_a_double_holds) {
  EXPECT_EQ(checked_cast<double>(two_to_53), 9007199254740992.0);
  EXPECT_EQ(checked_cast<double>(std::numeric_limits<std::int64_t>::min()), -two_to_63);
}

TEST(CheckedCast, refuses_integers_that_a_double_would_round) {
  EXPECT_THROW((void)checked_cast<double>(two_to_53 + 1), std::range_error);
  EXPECT_THROW((void)checked_cast<double>(std::numeric_limits<std::int64_t>::max()),
               std::range_error);
}

TEST(CheckedCast, works_at_compile_time) {
  static_assert(checked_cast<std::int8_t>(std::int64_t{-128}) == -128);
}

}  // namespace
}  // namespace makespan

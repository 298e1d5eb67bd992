// SPDX-License-Identifier: Apache-2.0
// Goal: a number in a message is as short as who reads it would write it.
#include "makespan/base/number_text.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace makespan {
namespace {

TEST(ShortText, has_no_digits_that_say_nothing) {
  EXPECT_EQ(short_text(0.0), "0");
  EXPECT_EQ(short_text(2.0), "2");
  EXPECT_EQ(short_text(-0.5), "-0.5");
  EXPECT_EQ(short_text(0.1667), "0.1667");
}

TEST(ShortText, has_six_digits_at_most) {
  EXPECT_EQ(short_text(1.0 / 3.0), "0.333333");
  EXPECT_EQ(short_text(1234567.0), "1.23457e+06");
}

TEST(ShortText, has_an_exponent_where_zeros_would_be_many) {
  EXPECT_EQ(short_text(1e20), "1e+20");
  EXPECT_EQ(short_text(-1.5e-300), "-1.5e-300");
}

TEST(ShortText, names_what_is_no_finite_number) {
  EXPECT_EQ(short_text(std::numeric_limits<double>::quiet_NaN()), "nan");
  EXPECT_EQ(short_text(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(short_text(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST(Numbered, names_a_thing_of_a_list) {
  EXPECT_EQ(numbered("edge", 3), "edge 3");
}

}  // namespace
}  // namespace makespan

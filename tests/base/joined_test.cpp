// SPDX-License-Identifier: Apache-2.0
// Goal: parts stand one after the other as they are, numbers in decimal digits.
#include "makespan/base/joined.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace makespan {
namespace {

TEST(Joined, has_all_parts_in_their_order) {
  std::string const text = "of a string";
  EXPECT_EQ(joined("literal, ", text, ", ", std::string_view("view")),
            "literal, of a string, view");
  EXPECT_EQ(joined("q", 3, "[", std::size_t{12}, "] = ", -7), "q3[12] = -7");
}

TEST(Joined, of_nothing_is_empty) {
  EXPECT_EQ(joined(), "");
  EXPECT_EQ(joined("", std::string{}), "");
}

TEST(Joined, writes_the_longest_numbers_whole) {
  EXPECT_EQ(joined(std::numeric_limits<std::int64_t>::min(), " ",
                   std::numeric_limits<std::uint64_t>::max()),
            "-9223372036854775808 18446744073709551615");
}

}  // namespace
}  // namespace makespan

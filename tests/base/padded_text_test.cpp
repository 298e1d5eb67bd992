// SPDX-License-Identifier: Apache-2.0
#include "makespan/base/padded_text.hpp"

#include <gtest/gtest.h>

#include <array>

namespace makespan {
namespace {

TEST(PaddedText, ends_at_the_first_zero_or_with_its_row) {
  std::array const rows{'a', 'b', '\0', 'c', 'd', 'e'};

  EXPECT_EQ(text_of_row(std::span(rows).first(3)), "ab");
  EXPECT_EQ(text_of_row(std::span(rows).subspan(2, 1)), "");
  EXPECT_EQ(text_of_row(std::span(rows).subspan(3)), "cde");
  EXPECT_EQ(text_of_row({}), "");
}

}  // namespace
}  // namespace makespan

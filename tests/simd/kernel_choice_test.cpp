// SPDX-License-Identifier: Apache-2.0
// Goal: tables come fastest first and are found by name; a wrong name is told which there are.
// Method: by hand.
#include "makespan/simd/kernel_choice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace makespan::simd {
namespace {

struct Table {
  std::string_view isa;
};

std::array<Table const, 2> const vectors{Table{"wide"}, Table{"narrow"}};
Table const last{"one_lane"};

std::span<Table const> two_tables() {
  return vectors;
}
std::span<Table const> no_tables() {
  return {};
}
Table const& one_lane_table() {
  return last;
}

TEST(KernelChoice, has_the_fastest_first_and_one_lane_last) {
  auto const some = tables_of<two_tables, one_lane_table>();
  auto const one = tables_of<no_tables, one_lane_table>();

  EXPECT_THAT(some, testing::ElementsAre(&vectors[0], &vectors[1], &last));
  EXPECT_THAT(one, testing::ElementsAre(&last));
}

TEST(KernelChoice, finds_a_table_by_name) {
  auto const all = tables_of<two_tables, one_lane_table>();

  EXPECT_EQ(&table_named(all, "auto"), &vectors[0]);
  EXPECT_EQ(&table_named(all, "narrow"), &vectors[1]);
  EXPECT_EQ(&table_named(all, "one_lane"), &last);
}

TEST(KernelChoice, tells_which_there_are) {
  try {
    static_cast<void>(table_named(tables_of<two_tables, one_lane_table>(), "abacus"));
    FAIL() << "took it";
  } catch (InputError const& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("'abacus'"));
    EXPECT_THAT(error.what(), testing::HasSubstr("wide, narrow, one_lane"));
  }
}

}  // namespace
}  // namespace makespan::simd

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

constexpr std::array<Table, 2> vectors{Table{"wide"}, Table{"narrow"}};
constexpr Table one_lane{"one_lane"};

TEST(KernelChoice, has_the_fastest_first_and_one_lane_last) {
  auto const tables = tables_of(std::span<Table const>(vectors), one_lane);

  EXPECT_THAT(tables, testing::ElementsAre(&vectors[0], &vectors[1], &one_lane));
  EXPECT_THAT(tables_of(std::span<Table const>(), one_lane), testing::ElementsAre(&one_lane));
}

TEST(KernelChoice, finds_a_table_by_name) {
  auto const tables = tables_of(std::span<Table const>(vectors), one_lane);
  std::span<Table const* const> const all = tables;

  EXPECT_EQ(&table_named(all, "auto"), &vectors[0]);
  EXPECT_EQ(&table_named(all, "narrow"), &vectors[1]);
  EXPECT_EQ(&table_named(all, "one_lane"), &one_lane);
}

TEST(KernelChoice, tells_which_there_are) {
  auto const tables = tables_of(std::span<Table const>(vectors), one_lane);
  try {
    static_cast<void>(table_named(std::span<Table const* const>(tables), "abacus"));
    FAIL() << "took it";
  } catch (InputError const& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("'abacus'"));
    EXPECT_THAT(error.what(), testing::HasSubstr("wide, narrow, one_lane"));
  }
}

}  // namespace
}  // namespace makespan::simd

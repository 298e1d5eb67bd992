// SPDX-License-Identifier: Apache-2.0
// Goal: tables come fastest first and are found by name; a wrong name is told which there are; and
// of an instruction set that the processor lacks no function is run, since it may end the process.
// Method: by hand.
#include "makespan/simd/kernel_choice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "makespan/simd/vector_tables-inl.hpp"

namespace makespan::simd {
namespace {

struct Two : KernelChoice<Two> {
  std::string_view isa;

  static std::vector<Two> const& vector_tables() {
    static std::vector<Two> const tables{{{}, "wide"}, {{}, "narrow"}};
    return tables;
  }
  static Two const& one_lane_table() {
    static Two const table{{}, "one_lane"};
    return table;
  }
};

struct None : KernelChoice<None> {
  std::string_view isa;

  static std::vector<None> const& vector_tables() {
    static std::vector<None> const tables;
    return tables;
  }
  static None const& one_lane_table() {
    static None const table{{}, "one_lane"};
    return table;
  }
};

TEST(KernelChoice, has_the_fastest_first_and_one_lane_last) {
  EXPECT_THAT(Two::available(),
              testing::ElementsAre(&Two::vector_tables()[0], &Two::vector_tables()[1],
                                   &Two::one_lane_table()));
  EXPECT_THAT(None::available(), testing::ElementsAre(&None::one_lane_table()));
}

TEST(KernelChoice, finds_a_table_by_name) {
  EXPECT_EQ(&Two::named("auto"), &Two::vector_tables()[0]);
  EXPECT_EQ(&Two::named("narrow"), &Two::vector_tables()[1]);
  EXPECT_EQ(&Two::named("one_lane"), &Two::one_lane_table());
  EXPECT_EQ(&None::named("auto"), &None::one_lane_table());
}

TEST(KernelChoice, tells_which_there_are) {
  try {
    static_cast<void>(Two::named("abacus"));
    FAIL() << "took it";
  } catch (InputError const& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("'abacus'"));
    EXPECT_THAT(error.what(), testing::HasSubstr("wide, narrow, one_lane"));
  }
}

Two made_for(std::string_view isa) {
  return {{}, isa};
}

Two no_such_instruction(std::string_view isa) {
  throw std::logic_error(std::string(isa));
}

TEST(VectorTables, are_made_for_instruction_sets_that_the_processor_has_alone) {
  auto const tables = supported_tables<Two>(0b0101, {{0b1000, "widest", &no_such_instruction},
                                                     {0b0100, "wide", &made_for},
                                                     {0b0010, "other", &no_such_instruction},
                                                     {0b0001, "narrow", &made_for}});
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_EQ(tables[0].isa, "wide");
  EXPECT_EQ(tables[1].isa, "narrow");
}

}  // namespace
}  // namespace makespan::simd

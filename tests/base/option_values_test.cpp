// SPDX-License-Identifier: Apache-2.0
// Goal: options have their defaults, and invalid values are refused with a full message.
// Method: a made-up help table.
#include "makespan/base/option_values.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"

namespace makespan {
namespace {

constexpr std::array<OptionHelp, 2> help{{
    {"share", OptionKind::real, 0.5, 0.0, 1.0, "a share"},
    {"chunk_items", OptionKind::whole, 2.0, 1.0, 100.0, "a count"},
}};

std::string refusal(OptionValues const& given, std::span<OptionHelp const> table = help) {
  try {
    CheckedOptions const options("made_up", table, given);
  } catch (InputError const& error) {
    return error.what();
  }
  return "accepted";
}

TEST(CheckedOptions, has_defaults) {
  OptionValues const nothing;
  CheckedOptions const options("made_up", help, nothing);

  EXPECT_EQ(options.real("share"), 0.5);
  EXPECT_EQ(options.whole("chunk_items"), 2);
}

TEST(CheckedOptions, takes_what_is_given_up_to_the_limits) {
  OptionValues const given{{"share", 1.0}, {"chunk_items", 1.0}};
  CheckedOptions const options("made_up", help, given);

  EXPECT_EQ(options.real("share"), 1.0);
  EXPECT_EQ(options.whole("chunk_items"), 1);
}

TEST(CheckedOptions, refuses_an_unknown_option_and_names_the_nearest) {
  EXPECT_EQ(refusal({{"chunk_item", 1.0}}),
            "made_up option 'chunk_item' is unknown (known: share, chunk_items): did you mean "
            "'chunk_items'?");
}

TEST(CheckedOptions, refuses_values_out_of_range) {
  EXPECT_EQ(refusal({{"share", 1.5}}),
            "made_up option share = 1.5 (outside 0 .. 1): give 0.5, the default, or another one in "
            "that range");
  EXPECT_NE(refusal({{"share", -0.1}}), "accepted");
}

TEST(CheckedOptions, refuses_what_is_no_number) {
  EXPECT_NE(refusal({{"share", std::numeric_limits<double>::quiet_NaN()}}), "accepted");
  EXPECT_NE(refusal({{"share", std::numeric_limits<double>::infinity()}}), "accepted");
}

TEST(CheckedOptions, refuses_parts_of_a_count) {
  EXPECT_EQ(
      refusal({{"chunk_items", 3.7}}),
      "made_up option chunk_items = 3.7 (it counts something): give a whole number, such as 4");
}

TEST(CheckedOptions, refuses_any_option_of_one_without) {
  EXPECT_EQ(refusal({{"share", 0.5}}, {}), "option 'share' ('made_up' has none): leave it out");
}

TEST(CheckedOptions, expects_names_of_the_table) {
  OptionValues const nothing;
  CheckedOptions const options("made_up", help, nothing);

  EXPECT_THROW(static_cast<void>(options.real("shares")), ContractViolated);
}

}  // namespace
}  // namespace makespan

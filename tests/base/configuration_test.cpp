// SPDX-License-Identifier: Apache-2.0
#include "makespan/base/configuration.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "makespan/base/contracts.hpp"

namespace makespan {
namespace {

TEST(Configuration, version_has_three_parts) {
  EXPECT_THAT(std::string(configuration().version),
              testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
}

TEST(Configuration, leaves_nothing_out) {
  EXPECT_FALSE(configuration().git_commit.empty());
  EXPECT_FALSE(configuration().compiler.empty());
  EXPECT_FALSE(configuration().build_type.empty());
}

TEST(Configuration, names_the_contracts_that_are_on) {
  constexpr std::array<std::string_view, 3> names{"off", "cheap", "costly"};

  EXPECT_EQ(configuration().contracts, names.at(MAKESPAN_CONTRACT_LEVEL));
}

}  // namespace
}  // namespace makespan

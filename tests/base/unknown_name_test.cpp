// SPDX-License-Identifier: Apache-2.0
// Goal: an unknown name is answered with the list and the nearest. Method: whole messages, worked
// out by hand.
#include "makespan/base/unknown_name.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "makespan/base/contracts.hpp"

namespace makespan {
namespace {

constexpr std::array<std::string_view, 3> fruit{"apple", "pear", "peach"};

TEST(UnknownName, says_problem_why_and_suggestion) {
  InputError const error = unknown_name("fruit", "pera", fruit);

  EXPECT_STREQ(error.what(),
               "fruit 'pera' is unknown (known: apple, pear, peach): did you mean 'pear'?");
}

TEST(UnknownName, finds_the_nearest_by_inserted_removed_and_changed_letters) {
  auto const nearest = [](std::string_view given) {
    std::string const text = unknown_name("fruit", given, fruit).what();
    return text.substr(text.rfind("mean '") + 6);
  };

  EXPECT_EQ(nearest("aple"), "apple'?");
  EXPECT_EQ(nearest("peachy"), "peach'?");
  EXPECT_EQ(nearest("bear"), "pear'?");
  EXPECT_EQ(nearest(""), "pear'?");
}

TEST(UnknownName, expects_names_to_choose_from) {
  EXPECT_THROW(static_cast<void>(unknown_name("fruit", "pear", {})), ContractViolated);
}

}  // namespace
}  // namespace makespan

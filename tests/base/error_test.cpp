// SPDX-License-Identifier: Apache-2.0
#include "makespan/base/error.hpp"

#include <gtest/gtest.h>

#include <string>

namespace makespan {
namespace {

TEST(InputError, says_problem_why_and_suggestion) {
  InputError const error("volatility = -0.2", "a volatility is at least 0", "give 0.2 for 20 %");

  EXPECT_STREQ(error.what(), "volatility = -0.2 (a volatility is at least 0): give 0.2 for 20 %");
}

TEST(InputError, is_caught_as_a_runtime_error) {
  EXPECT_THROW(throw InputError("a", "b", "c"), std::runtime_error);
}

TEST(NotConfigured, names_the_feature) {
  std::string message;

  try {
    not_configured("CUDA");
  } catch (NotConfigured const& error) {
    message = error.what();
  }

  EXPECT_EQ(message, "CUDA is not in this build of makespan");
}

}  // namespace
}  // namespace makespan

// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/phase_steps.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "makespan/base/error.hpp"

namespace makespan::graph {
namespace {

TEST(PhaseSteps, A_multiple_is_accepted) {
  EXPECT_NO_THROW(check_steps(1, 1));
  EXPECT_NO_THROW(check_steps(50, 10));
}

TEST(PhaseSteps, What_is_no_multiple_is_refused) {
  EXPECT_THROW(check_steps(10, 4), InputError);
  EXPECT_THROW(check_steps(10, 20), InputError);
}

TEST(PhaseSteps, Both_are_positive) {
  EXPECT_THROW(check_steps(0, 1), InputError);
  EXPECT_THROW(check_steps(-4, -2), InputError);
  EXPECT_THROW(check_steps(10, 0), InputError);
}

TEST(PhaseSteps, The_message_has_both_numbers_and_what_would_be_right) {
  try {
    check_steps(10, 4);
    FAIL() << "accepted";
  } catch (InputError const& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("steps = 10, in phases of 4"));
    EXPECT_THAT(error.what(), testing::HasSubstr("give a multiple of the steps of a phase"));
  }
}

}  // namespace
}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
// Goal: what is refused is named, with the reason and what would be right.
#include "makespan/apps/melt/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace makespan::melt {
namespace {

TEST(MeltRefusal, names_the_problem_the_reason_and_what_would_be_right) {
  EXPECT_THAT([] { refuse("energies of cell 27", "this run has 27"); },
              testing::ThrowsMessage<InputError>(testing::StartsWith(
                  "energies of cell 27 (this run has 27): start the same executable")));
}

}  // namespace
}  // namespace makespan::melt

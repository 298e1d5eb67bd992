// SPDX-License-Identifier: Apache-2.0
// Goal: a place's availability follows what happens, and does not jump for a place that hardly
// computes. Method: by hand.
#include "makespan/graph/protocol/availability.hpp"

#include <gtest/gtest.h>

namespace makespan::graph {
namespace {

TEST(Availability, is_whole_before_anything_is_known) {
  EXPECT_EQ(Availability().value(), 1.0);
}

TEST(Availability, follows_a_core_that_others_take_half_of) {
  Availability availability;
  for (int phase = 0; phase < 5; ++phase) availability.tell(0.1, 0.05);
  EXPECT_NEAR(availability.value(), 0.5, 0.01);

  for (int phase = 0; phase < 8; ++phase) availability.tell(0.1, 0.1);
  EXPECT_NEAR(availability.value(), 1.0, 0.01);
}

TEST(Availability, takes_little_from_a_place_that_hardly_computed) {
  Availability availability;

  availability.tell(100e-6, 1e-6);

  EXPECT_GT(availability.value(), 0.9);
}

TEST(Availability, is_never_above_1_or_0) {
  Availability availability;
  availability.tell(0.1, 0.2);
  EXPECT_LE(availability.value(), 1.0);

  for (int phase = 0; phase < 9; ++phase) availability.tell(10.0, -1.0);
  EXPECT_GT(availability.value(), 0.0);
}

}  // namespace
}  // namespace makespan::graph

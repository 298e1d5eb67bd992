// SPDX-License-Identifier: Apache-2.0
// Goal: of each place the last two copies are kept. Method: copies of several places and phases.
#include "makespan/graph/object/detail/object_copies.hpp"

#include <gtest/gtest.h>

namespace makespan::graph {
namespace {

std::vector<std::byte> bytes_of(int value) {
  return std::vector<std::byte>(4, static_cast<std::byte>(value));
}

TEST(ObjectCopies, are_not_there_before_they_are_kept) {
  ObjectCopies const copies;

  EXPECT_EQ(copies.find(0, 0), nullptr);
}

TEST(ObjectCopies, are_found_by_place_and_phase) {
  ObjectCopies copies;
  copies.keep(1, 5, bytes_of(15));
  copies.keep(2, 5, bytes_of(25));

  ASSERT_NE(copies.find(1, 5), nullptr);
  EXPECT_EQ(*copies.find(1, 5), bytes_of(15));
  ASSERT_NE(copies.find(2, 5), nullptr);
  EXPECT_EQ(*copies.find(2, 5), bytes_of(25));
  EXPECT_EQ(copies.find(1, 4), nullptr);
  EXPECT_EQ(copies.find(3, 5), nullptr);
}

TEST(ObjectCopies, of_each_place_are_the_last_two) {
  ObjectCopies copies;
  copies.keep(7, 3, bytes_of(1));
  for (int phase = 3; phase <= 12; phase += 3) copies.keep(1, phase, bytes_of(phase));

  EXPECT_EQ(copies.find(1, 3), nullptr);
  EXPECT_EQ(copies.find(1, 6), nullptr);
  ASSERT_NE(copies.find(1, 9), nullptr);
  EXPECT_EQ(*copies.find(1, 9), bytes_of(9));
  ASSERT_NE(copies.find(1, 12), nullptr);
  EXPECT_EQ(*copies.find(1, 12), bytes_of(12));
  EXPECT_NE(copies.find(7, 3), nullptr) << "another place pushes out none of its own";
}

// After a restart phases are done, and saved, again.
TEST(ObjectCopies, of_the_same_phase_are_replaced) {
  ObjectCopies copies;
  copies.keep(1, 3, bytes_of(1));
  copies.keep(1, 6, bytes_of(2));
  copies.keep(1, 6, bytes_of(3));

  ASSERT_NE(copies.find(1, 3), nullptr);
  ASSERT_NE(copies.find(1, 6), nullptr);
  EXPECT_EQ(*copies.find(1, 6), bytes_of(3));
}

TEST(ObjectCopies, of_a_place_without_objects_are_there) {
  ObjectCopies copies;
  copies.keep(1, 3, {});

  ASSERT_NE(copies.find(1, 3), nullptr);
  EXPECT_TRUE(copies.find(1, 3)->empty());
}

}  // namespace
}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
// Goal: those that talk most share a container, where they fit. Method: by hand.
#include "makespan/graph/partition/detail/grouping.hpp"

#include <gtest/gtest.h>

namespace makespan::graph {
namespace {

// Two containers of two.
std::vector<Slot> const alike{
    {.container = 0, .like = 0},
    {.container = 0, .like = 0},
    {.container = 1, .like = 0},
    {.container = 1, .like = 0},
};

void add(ByteMatrix& matrix, int a, int b, double bytes) {
  matrix.at(a, b) += bytes;
  matrix.at(b, a) += bytes;
}

TEST(Grouping, brings_together_what_talks) {
  // 0 begins in the first container and has most to say; 2 comes with it. 3 stays where it is.
  ByteMatrix between(4);
  add(between, 0, 2, 10);
  add(between, 1, 3, 5);

  EXPECT_EQ(grouped({.slots = alike, .between = between, .pinned = ByteMatrix(4)}),
            (std::vector{0, 2, 1, 3}));
}

TEST(Grouping, moves_nothing_without_need) {
  ByteMatrix between(4);
  add(between, 0, 1, 10);
  add(between, 2, 3, 10);

  EXPECT_EQ(grouped({.slots = alike, .between = between, .pinned = ByteMatrix(4)}),
            (std::vector{0, 1, 2, 3}));
}

TEST(Grouping, knows_what_is_pinned) {
  // 0 talks to what is in the second container for good; 1 says nothing, 2 and 3 begin there.
  ByteMatrix pinned(4);
  pinned.at(0, 2) = 100;

  std::vector<int> const slot_of =
      grouped({.slots = alike, .between = ByteMatrix(4), .pinned = pinned});

  EXPECT_EQ(slot_of, (std::vector{2, 1, 0, 3}));
}

TEST(Grouping, takes_the_slot_where_most_is_pinned) {
  ByteMatrix pinned(4);
  pinned.at(0, 1) = 5;
  pinned.at(1, 0) = 4;
  pinned.at(1, 1) = 4;

  EXPECT_EQ(grouped({.slots = alike, .between = ByteMatrix(4), .pinned = pinned}),
            (std::vector{1, 0, 2, 3}));
}

TEST(Grouping, keeps_classes_apart) {
  std::vector<Slot> slots = alike;
  slots[2].like = 1;
  slots[0].like = 1;
  ByteMatrix between(4);
  add(between, 0, 2, 10);
  add(between, 1, 2, 5);

  // 0 and 2 are of one class, of which each container has one slot: 2 has most to say and comes
  // first, with 1, which is of the other class.
  EXPECT_EQ(grouped({.slots = slots, .between = between, .pinned = ByteMatrix(4)}),
            (std::vector{2, 1, 0, 3}));
}

}  // namespace
}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
// Goal: each collection has its blocks, and a lost place an heir. Method: what first_place() of a
// block map gives, by hand.
#include "makespan/graph/protocol/home_places.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace makespan::graph {
namespace {

std::vector<int> homes_of(HomePlaces const& homes) {
  std::vector<int> all;
  for (int object = 0; object < homes.objects(); ++object) all.push_back(homes.home(object));
  return all;
}

TEST(HomePlaces, Each_collection_is_cut_into_blocks) {
  // Six objects, none, and three.
  EXPECT_EQ(homes_of(HomePlaces(3, {6, 6, 9})), (std::vector<int>{0, 0, 1, 1, 2, 2, 0, 1, 2}));
}

TEST(HomePlaces, Fewer_objects_than_places_are_no_mistake) {
  EXPECT_EQ(homes_of(HomePlaces(4, {2})), (std::vector<int>{0, 2}));
}

TEST(HomePlaces, The_next_place_has_the_homes_of_a_lost_one) {
  HomePlaces homes(3, {6});
  homes.lose(2);

  EXPECT_EQ(homes_of(homes), (std::vector<int>{0, 0, 1, 1, 0, 0}));
  homes.lose(0);
  EXPECT_EQ(homes_of(homes), (std::vector<int>{1, 1, 1, 1, 1, 1}));
  EXPECT_TRUE(homes.is_lost(0));
  EXPECT_FALSE(homes.is_lost(1));
}

}  // namespace
}  // namespace makespan::graph

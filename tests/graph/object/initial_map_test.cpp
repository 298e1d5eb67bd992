// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/initial_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace makespan::graph {
namespace {

std::vector<int> places_of(InitialMap map, int count, int places) {
  std::vector<int> all;
  for (int index = 0; index < count; ++index) {
    all.push_back(first_place(map, index, count, places));
  }
  return all;
}

TEST(InitialMap, Blocks_are_consecutive_and_differ_by_one_at_most) {
  auto const all = places_of(InitialMap::block, 23, 5);

  EXPECT_TRUE(std::ranges::is_sorted(all));
  for (int place = 0; place < 5; ++place) {
    EXPECT_GE(std::ranges::count(all, place), 4);
    EXPECT_LE(std::ranges::count(all, place), 5);
  }
}

TEST(InitialMap, Round_robin_deals_out) {
  EXPECT_EQ(places_of(InitialMap::round_robin, 5, 2), (std::vector<int>{0, 1, 0, 1, 0}));
}

TEST(InitialMap, Fewer_objects_than_places_are_no_mistake) {
  EXPECT_EQ(places_of(InitialMap::block, 2, 4), (std::vector<int>{0, 2}));
}

TEST(InitialMap, Each_place_finds_its_own_without_a_look_at_others) {
  for (InitialMap const map : {InitialMap::block, InitialMap::round_robin}) {
    for (int const count : {0, 1, 2, 7, 23, 64}) {
      for (int const places : {1, 2, 3, 5, 64, 100}) {
        auto const all = places_of(map, count, places);
        for (int place = 0; place < places; ++place) {
          std::vector<int> expected;
          for (int index = 0; index < count; ++index) {
            if (all[static_cast<std::size_t>(index)] == place) expected.push_back(index);
          }
          std::vector<int> got;
          for_each_first(map, place, count, places, [&](int index) { got.push_back(index); });
          ASSERT_EQ(got, expected) << count << " objects, place " << place << " of " << places;
        }
      }
    }
  }
}

}  // namespace
}  // namespace makespan::graph

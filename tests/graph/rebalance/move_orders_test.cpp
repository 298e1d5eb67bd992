// SPDX-License-Identifier: Apache-2.0
// Goal: a place is told of a move that concerns it, once, and of no other. Method: six objects on
// five places, by hand.
#include "makespan/graph/rebalance/move_orders.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace makespan::graph {
namespace {

// Object 0 at place 0, and so on; the last two at place 4. Homes are at those places, too, but for
// object 5, whose home is place 4 as that of object 4.
std::vector<PlaceLoads> five_places() {
  std::vector<PlaceLoads> places(5);
  for (int object = 0; object < 6; ++object) {
    places[static_cast<std::size_t>(object < 5 ? object : 4)].loads.objects.push_back(
        {.object = object, .moves = 1});
  }
  return places;
}

std::vector<std::vector<int>> objects_of(std::vector<std::vector<Target>> const& orders) {
  std::vector<std::vector<int>> all;
  for (auto const& order : orders) {
    std::vector<int>& objects = all.emplace_back();
    for (Target const& each : order) objects.push_back(each.object);
  }
  return all;
}

HomePlaces homes_of_six() {
  HomePlaces homes(5, {5, 6});  // the sixth: of a second collection, at home at place 0
  return homes;
}

TEST(MoveOrders, Nothing_moves_and_no_place_is_told) {
  EXPECT_EQ(objects_of(move_orders({}, five_places(), homes_of_six())),
            (std::vector<std::vector<int>>(5)));
}

TEST(MoveOrders, The_place_it_leaves_the_one_it_goes_to_and_its_home_are_told) {
  std::vector<Target> const moves{{.object = 5, .moves = 2, .place = 2}};

  auto const orders = move_orders(moves, five_places(), homes_of_six());

  EXPECT_EQ(objects_of(orders), (std::vector<std::vector<int>>{{5}, {}, {5}, {}, {5}}));
  EXPECT_EQ(orders[2].front().place, 2);
  EXPECT_EQ(orders[2].front().moves, 2U);
}

TEST(MoveOrders, Senders_are_told_where_they_will_be) {
  std::vector<PlaceLoads> places = five_places();
  places[1].loads.traffic = {{.from = 1, .to = 3, .messages = 1.0, .bytes = 8.0},
                             {.from = 1, .to = 3, .messages = 1.0, .bytes = 8.0}};
  places[2].loads.traffic = {{.from = 2, .to = 3, .messages = 1.0, .bytes = 8.0}};
  // Object 2 goes from place 2 to place 0: what was sent from place 2 will be sent from there.
  std::vector<Target> const moves{{.object = 3, .moves = 2, .place = 4},
                                  {.object = 2, .moves = 2, .place = 0}};

  EXPECT_EQ(objects_of(move_orders(moves, places, homes_of_six())),
            (std::vector<std::vector<int>>{{2, 3}, {3}, {2}, {3}, {3}}));
}

}  // namespace
}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
// Goal: groups are near places, all of them, and work goes from groups that have too much to the
// nearest that lack it. Method: by hand.
#include "makespan/graph/balancer/detail/place_groups.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "graph/small_graphs.hpp"

namespace makespan::graph {
namespace {

using Groups = std::vector<std::vector<int>>;

TEST(PlaceGroups, are_of_about_the_root_of_all_places) {
  PlaceGroups const groups = place_groups(equal_places(100), 0);

  EXPECT_EQ(groups.count(), 10);
  for (auto const& members : groups.members) EXPECT_EQ(members.size(), 10U);
  EXPECT_EQ(groups.leader(3), groups.members[3].front());
  for (int place = 0; place < 100; ++place) {
    auto const& members =
        groups.members[static_cast<std::size_t>(groups.group_of[static_cast<std::size_t>(place)])];
    EXPECT_TRUE(std::ranges::binary_search(members, place)) << place;
  }
}

// Two domains of domains_of_places() are a node.
TEST(PlaceGroups, keep_nodes_whole) {
  EXPECT_EQ(place_groups(domains_of_places(4, 2), 4).members, (Groups{{0, 1, 2, 3}, {4, 5, 6, 7}}));
  EXPECT_EQ(place_groups(domains_of_places(4, 1), 3).members, (Groups{{0, 1, 2, 3}}));
}

TEST(PlaceGroups, cut_large_nodes_into_equal_parts) {
  EXPECT_EQ(place_groups(domains_of_places(2, 5), 2).members,
            (Groups{{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}}));
  EXPECT_EQ(place_groups(domains_of_places(2, 5), 3).members,
            (Groups{{0, 1, 2}, {3, 4}, {5, 6, 7}, {8, 9}}));
}

TEST(PlaceGroups, of_one_place_and_of_more_than_there_are) {
  EXPECT_EQ(place_groups(equal_places(1), 0).members, (Groups{{0}}));
  EXPECT_EQ(place_groups(equal_places(3), 1).members, (Groups{{0}, {1}, {2}}));
  EXPECT_EQ(place_groups(equal_places(12), 0).count(), 1) << "the root would be groups of three";
  EXPECT_EQ(place_groups(equal_places(3), 100).members, (Groups{{0, 1, 2}}));
}

std::vector<double> after(std::vector<double> beyond, std::vector<double> const& least) {
  for (WorkTransfer const& each : work_transfers(beyond, least)) {
    EXPECT_GT(each.work, 0.0);
    beyond[static_cast<std::size_t>(each.from)] -= each.work;
    beyond[static_cast<std::size_t>(each.to)] += each.work;
  }
  return beyond;
}

TEST(WorkTransfers, even_out_what_groups_have_too_much) {
  std::vector<double> const none(4, 0.0);
  EXPECT_EQ(after({3, -1, -2, 0}, none), none);
  EXPECT_EQ(after({-5, 2, 2, 1}, none), none);
  EXPECT_TRUE(work_transfers(none, none).empty());
}

TEST(WorkTransfers, go_in_the_order_of_groups) {
  auto const transfers = work_transfers(std::vector<double>{1, -1, 2, -2}, std::vector<double>(4));

  ASSERT_EQ(transfers.size(), 2U);
  EXPECT_EQ(transfers[0].to, 1) << "not across the others";
  EXPECT_EQ(transfers[1].from, 2);
  EXPECT_EQ(transfers[1].to, 3);
}

TEST(WorkTransfers, leave_little_where_it_is) {
  EXPECT_TRUE(work_transfers(std::vector<double>{0.5, -0.5}, std::vector<double>{1, 1}).empty());
}

// Each of the others lacks a thirty-second of what it has too much: less than any would ask for.
TEST(WorkTransfers, spread_what_one_of_many_groups_has_too_much) {
  std::vector<double> beyond(32, -0.5 / 31.0);
  beyond[7] = 0.5;
  for (double const each : after(beyond, std::vector<double>(32, 0.02)))
    EXPECT_NEAR(each, 0.0, 1e-12);
  for (double& each : beyond) each = -each;
  for (double const each : after(beyond, std::vector<double>(32, 0.02)))
    EXPECT_NEAR(each, 0.0, 1e-12);
}

}  // namespace
}  // namespace makespan::graph

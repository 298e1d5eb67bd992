// SPDX-License-Identifier: Apache-2.0
// Goal: a leader gives away what its group says least to, and puts what it has then evenly on its
// places. Method: by hand, two groups of two places.
#include "makespan/graph/balancer/detail/group_leader.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "graph/small_graphs.hpp"
#include "makespan/graph/balancer/decision_in_process.hpp"

namespace makespan::graph {
namespace {

// Four places on two nodes; objects of the graph at places 0 and 1 belong to the first group.
struct FirstGroup {
  explicit FirstGroup(GraphColumns const& columns)
      : places{domains_of_places(2, 2)}, groups{place_groups(places, 2)} {
    auto const known = known_objects(Graph(columns), places);
    for (int const place : groups.members[0]) leader.add(known[static_cast<std::size_t>(place)]);
  }

  Places places;
  PlaceGroups groups;
  GroupLeader leader{places, groups, 0, 0.0};
};

std::vector<int> numbers_of(KnownObjects const& known) {
  std::vector<int> numbers;
  for (KnownObject const& each : known.objects) numbers.push_back(each.object);
  return numbers;
}

TEST(GroupLeader, knows_how_much_its_group_has) {
  FirstGroup group(silent({1, 2, 3}));

  EXPECT_DOUBLE_EQ(group.leader.work(), 6.0);
  EXPECT_DOUBLE_EQ(group.leader.speed(), 2.0);
}

TEST(GroupLeader, gives_the_heaviest_of_objects_that_say_nothing) {
  FirstGroup group(silent({1, 4, 2, 1, 1}));

  KnownObjects const given = group.leader.give(1, 5.0);

  EXPECT_EQ(numbers_of(given), (std::vector<int>{0, 1}));
  EXPECT_EQ(given.work, (std::vector<double>{1, 4}));
}

TEST(GroupLeader, gives_nothing_that_is_fixed_or_much_too_heavy) {
  GraphColumns columns = silent({1, 5, 1});
  columns.is_fixed = {1, 0, 0};
  FirstGroup group(columns);

  EXPECT_EQ(numbers_of(group.leader.give(1, 2.0)), (std::vector<int>{2}));
}

// Two cliques: both go, or none of them.
TEST(GroupLeader, gives_friends_together) {
  GraphColumns columns = silent({1, 1, 1, 1, 1, 1, 1, 1});
  for (int const first : {0, 4}) {
    for (int a = first; a < first + 4; ++a) {
      for (int b = first; b < first + 4; ++b) {
        if (a != b) add_edge(columns, a, b, 10.0, 1e6);
      }
    }
  }
  FirstGroup group(columns);

  std::vector<int> const given = numbers_of(group.leader.give(1, 4.0));

  ASSERT_EQ(given.size(), 4U);
  EXPECT_TRUE(given == (std::vector<int>{0, 1, 2, 3}) || given == (std::vector<int>{4, 5, 6, 7}));
}

TEST(GroupLeader, gives_friends_of_the_other_group_first) {
  GraphColumns columns = silent({1, 1, 1, 1, 1});
  columns.place = {0, 0, 0, 0, 2};
  add_edge(columns, 2, 4, 10.0, 1e6);
  FirstGroup group(columns);

  EXPECT_EQ(numbers_of(group.leader.give(1, 1.0)), (std::vector<int>{2}));
}

TEST(GroupLeader, gives_no_object_twice) {
  FirstGroup group(silent({1, 1, 1, 1}));

  std::vector<int> all = numbers_of(group.leader.give(1, 2.0));
  std::vector<int> const more = numbers_of(group.leader.give(1, 2.0));
  all.insert(all.end(), more.begin(), more.end());
  std::ranges::sort(all);

  EXPECT_EQ(all, (std::vector<int>{0, 1, 2, 3}));
}

TEST(GroupLeader, spreads_what_it_keeps_and_what_comes) {
  FirstGroup group(silent({1, 1, 1, 1}));
  static_cast<void>(group.leader.give(1, 2.0));
  KnownObjects come;
  for (int object = 10; object < 12; ++object) {
    come.objects.push_back({.object = object, .place = 3, .to = 3});
    come.work.push_back(1.0);
  }
  group.leader.receive(come);

  group.leader.decide();

  EXPECT_DOUBLE_EQ(group.leader.now_s(), 4.0) << "all of them at place 0";
  EXPECT_DOUBLE_EQ(group.leader.new_s(), 2.0);
  std::map<int, int> to;
  for (KnownObject const& each : group.leader.moved()) to[each.object] = each.to;
  ASSERT_TRUE(to.contains(10) && to.contains(11)) << "those that come move in any case";
  EXPECT_LT(to[10], 2);
  EXPECT_LT(to[11], 2);
}

TEST(GroupLeader, of_a_group_without_objects_has_nothing_to_say) {
  FirstGroup group(silent({}));

  EXPECT_EQ(group.leader.work(), 0.0);
  EXPECT_TRUE(group.leader.give(1, 1.0).objects.empty());
  group.leader.decide();
  EXPECT_TRUE(group.leader.moved().empty());
  EXPECT_EQ(group.leader.now_s(), 0.0);
}

}  // namespace
}  // namespace makespan::graph

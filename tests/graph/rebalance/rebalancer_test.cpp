// SPDX-License-Identifier: Apache-2.0
// Goal: objects go where places have time for them, for as fast as places are, and nowhere else.
// Method: loads made from known work and known speeds.
#include "makespan/graph/rebalance/rebalancer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "makespan/base/error.hpp"
#include "makespan/graph/rebalance/object_loads.hpp"
#include "makespan/graph/rebalance/target.hpp"
#include "measured_world.hpp"

namespace makespan::graph {
namespace {

TEST(Rebalancer, balances_what_was_measured) {
  TestWorld world = equal_objects(24, {1.0, 1.0});
  for (std::size_t object = 0; object < 6; ++object) world.work[object] = 20e-3;
  Rebalancer rebalancer({}, free_objects(24), layout_of(2));
  double const before_s = world.work_at(0);

  Proposal const proposal = rebalancer.propose(world.loads(), 0);
  world.follow(proposal.moves);

  double const half = (world.work_at(0) + world.work_at(1)) / 2;
  EXPECT_NEAR(world.work_at(0), half, 0.1 * half);
  EXPECT_NEAR(proposal.predicted_now_s, before_s, 0.01 * before_s);
  EXPECT_NEAR(proposal.predicted_new_s, half, 0.1 * half);
  EXPECT_EQ(proposal.moved_bytes, 100.0 * static_cast<double>(proposal.moves.size()));
  EXPECT_GT(proposal.migrate_s, 0.0);
}

TEST(Rebalancer, leaves_what_is_balanced) {
  TestWorld world = equal_objects(24, {1.0, 1.0, 1.0});
  Rebalancer rebalancer({}, free_objects(24), layout_of(3));

  EXPECT_TRUE(rebalancer.propose(world.loads(), 0).moves.empty());
}

TEST(Rebalancer, gives_a_slow_place_less) {
  TestWorld world = equal_objects(60, {1.0, 0.5});
  Rebalancer rebalancer({.speeds = {1.0, 0.5}}, free_objects(60), layout_of(2));

  world.follow(rebalancer.propose(world.loads(), 0).moves);

  EXPECT_NEAR(world.objects_at(1), 20, 2);
}

TEST(Rebalancer, gives_a_place_less_whose_core_others_take) {
  TestWorld world = equal_objects(60, {1.0, 1.0});
  world.available = {1.0, 0.5};
  Rebalancer rebalancer({}, free_objects(60), layout_of(2));

  world.follow(rebalancer.propose(world.loads(), 0).moves);

  EXPECT_NEAR(world.objects_at(1), 20, 2);
  EXPECT_EQ(rebalancer.speeds(), (std::vector<double>{1.0, 1.0})) << "that is not its speed";
}

TEST(Rebalancer, gives_little_to_a_place_that_has_no_core_and_does_not_divide_by_it) {
  TestWorld world = equal_objects(60, {1.0, 1.0});
  world.available = {1.0, 0.0};
  Rebalancer rebalancer({}, free_objects(60), layout_of(2));

  Proposal const proposal = rebalancer.propose(world.loads(), 0);
  world.follow(proposal.moves);

  EXPECT_LE(world.objects_at(1), 3);
  EXPECT_TRUE(std::isfinite(proposal.predicted_now_s));
}

// The load of a place is once 10 % more and once 10 % less than it was, by turns. From the second
// look on it is known that this says nothing.
TEST(Rebalancer, learns_how_well_loads_are_known) {
  TestWorld world = equal_objects(80, std::vector<double>(8, 1.0));
  Rebalancer rebalancer({}, free_objects(80), layout_of(8));
  auto const loads = [&](bool is_odd) {
    std::vector<PlaceLoads> all = world.loads();
    for (std::size_t place = 0; place < all.size(); ++place) {
      double const factor = (place % 2 == 0) == is_odd ? 1.1 : 0.9;
      for (ObjectLoad& load : all[place].loads.objects) load.cpu_s *= factor;
    }
    return all;
  };
  EXPECT_FALSE(rebalancer.propose(loads(true), 0).moves.empty()) << "nothing is known yet";

  EXPECT_TRUE(rebalancer.propose(loads(false), 1).moves.empty());
  EXPECT_TRUE(rebalancer.propose(loads(true), 2).moves.empty());

  // What differs between phases that are not in a row may be work that has changed.
  Rebalancer seldom({}, free_objects(80), layout_of(8));
  EXPECT_FALSE(seldom.propose(loads(true), 0).moves.empty());
  EXPECT_FALSE(seldom.propose(loads(false), 10).moves.empty());
}

TEST(Rebalancer, believes_loads_that_do_not_change) {
  TestWorld world = equal_objects(800, std::vector<double>(8, 1.0));
  for (std::size_t object : {100U, 200U, 300U}) world.where[object] = 0;  // which has 103 then
  Rebalancer rebalancer({}, free_objects(800), layout_of(8));

  EXPECT_TRUE(rebalancer.propose(world.loads(), 0).moves.empty()) << "it may be noise";
  EXPECT_FALSE(rebalancer.propose(world.loads(), 10).moves.empty());
}

TEST(Rebalancer, learns_speeds_from_what_moved) {
  TestWorld world = equal_objects(60, {1.0, 0.25});
  Rebalancer rebalancer({}, free_objects(60), layout_of(2));
  for (int look = 0; look < 12; ++look) {
    world.follow(rebalancer.propose(world.loads(), 0).moves);
    // Some change places by themselves, so that there is something to learn from.
    for (std::size_t object = static_cast<std::size_t>(look); object < 60; object += 7) {
      world.where[object] = 1 - world.where[object];
      ++world.moves[object];
    }
  }

  world.follow(rebalancer.propose(world.loads(), 0).moves);

  EXPECT_NEAR(rebalancer.speeds()[0] / rebalancer.speeds()[1], 4.0, 0.2);
  EXPECT_NEAR(world.objects_at(1), 12, 2);
}

// First all objects talk with all, which no mapping makes less; then each with some, which the
// balancer divides by: at the look after the next, since it was in vain before.
TEST(Rebalancer, tells_its_balancer_of_looks_before) {
  TestWorld world = equal_objects(400, std::vector(40, 1.0));
  auto const talk = [&](int hops, int stride, double bytes) {
    world.traffic.clear();
    for (std::int32_t object = 0; object < 400; ++object) {
      for (std::int32_t hop = 1; hop <= hops; ++hop) {
        std::int32_t const to = (object + hop * stride) % 400;
        world.traffic.push_back({.from = object, .to = to, .messages = 1, .bytes = bytes});
      }
    }
  };
  auto const predicted_s = [&](Rebalancer& rebalancer, std::int64_t phase) {
    return rebalancer.propose(world.loads(), phase).predicted_new_s;
  };
  Rebalancer rebalancer({}, free_objects(400), layout_of(40));
  talk(399, 1, 2e4);
  predicted_s(rebalancer, 0);
  talk(7, 49, 1e6);
  Rebalancer fresh({}, free_objects(400), layout_of(40));
  double const divided_s = predicted_s(fresh, 0);

  EXPECT_GT(predicted_s(rebalancer, 10), 1.2 * divided_s);
  EXPECT_LT(predicted_s(rebalancer, 20), 1.1 * divided_s);

  // After a loss it is another machine.
  Rebalancer smaller({}, free_objects(400), layout_of(40));
  talk(399, 1, 2e4);
  predicted_s(smaller, 0);
  talk(7, 49, 1e6);
  for (int& place : world.where) place = std::min(place, 38);
  smaller.lose(39);
  EXPECT_LT(predicted_s(smaller, 10), 1.2 * divided_s);
}

TEST(Rebalancer, does_not_move_what_is_fixed) {
  TestWorld world = equal_objects(24, {1.0, 1.0});
  world.where.assign(24, 0);
  std::vector<bool> is_fixed(24);
  for (std::size_t object = 12; object < 24; ++object) is_fixed[object] = true;
  Rebalancer rebalancer({}, {.is_fixed = is_fixed}, layout_of(2));

  auto const moves = rebalancer.propose(world.loads(), 0).moves;
  world.follow(moves);

  for (Target const& move : moves) EXPECT_LT(move.object, 12);
  EXPECT_EQ(world.objects_at(1), 12);
}

TEST(Rebalancer, sends_nothing_to_lost_places) {
  TestWorld world = equal_objects(30, {1.0, 1.0, 1.0, 1.0});
  // What places 2 and 3 had, place 0 has brought back.
  for (int& place : world.where) place = place >= 2 ? 0 : place;
  Rebalancer rebalancer({}, free_objects(30), assumed_layout(2, std::vector<int>{0, 0}));
  rebalancer.lose(2);
  rebalancer.lose(3);

  world.follow(rebalancer.propose(world.loads(), 0).moves);

  EXPECT_EQ(world.objects_at(2) + world.objects_at(3), 0);
  EXPECT_NEAR(world.objects_at(0), 15, 1);
}

// Numbers of places that are left are not those that the balancer sees.
TEST(Rebalancer, finds_the_places_behind_a_lost_one) {
  TestWorld world = equal_objects(30, {1.0, 1.0, 1.0});
  world.where.assign(30, 0);
  Rebalancer rebalancer({}, free_objects(30), assumed_layout(1, std::vector<int>{0, 0, 1}));
  rebalancer.lose(1);

  world.follow(rebalancer.propose(world.loads(), 0).moves);

  EXPECT_EQ(world.objects_at(1), 0);
  EXPECT_NEAR(world.objects_at(2), 15, 1);
}

TEST(Rebalancer, knows_the_way_back) {
  TestWorld world = equal_objects(24, {1.0, 1.0, 1.0});
  for (std::size_t object = 0; object < 6; ++object) world.work[object] = 20e-3;
  auto const before = world.where;
  Rebalancer rebalancer({}, free_objects(24), layout_of(3));
  EXPECT_TRUE(rebalancer.way_back(world.loads()).empty()) << "from nowhere";
  world.follow(rebalancer.propose(world.loads(), 0).moves);
  ASSERT_NE(world.where, before);

  world.follow(rebalancer.way_back(world.loads()));

  EXPECT_EQ(world.where, before);
  EXPECT_TRUE(rebalancer.way_back(world.loads()).empty());
}

TEST(Rebalancer, knows_no_way_back_to_a_lost_place_nor_for_what_is_new) {
  // Eleven at place 1, twelve at place 2, and one that is not made yet.
  TestWorld world = equal_objects(24, {1.0, 1.0, 1.0});
  for (std::size_t object = 0; object < 24; ++object) world.where[object] = object < 11 ? 1 : 2;
  world.work[23] = -1.0;
  auto const before = world.where;
  Rebalancer rebalancer({}, free_objects(24), layout_of(3));
  world.follow(rebalancer.propose(world.loads(), 0).moves);
  ASSERT_NEAR(world.objects_at(0), 8, 1);
  rebalancer.lose(2);
  world.where[23] = 0;
  world.work[23] = 1e-3;

  std::vector<int> back;
  for (Target const& each : rebalancer.way_back(world.loads())) {
    EXPECT_EQ(each.place, 1);
    back.push_back(each.object);
  }

  std::vector<int> of_place_1;
  for (int object = 0; object < 23; ++object) {
    auto const at = static_cast<std::size_t>(object);
    if (before[at] == 1 && world.where[at] != 1) of_place_1.push_back(object);
  }
  EXPECT_FALSE(of_place_1.empty());
  std::ranges::sort(back);
  EXPECT_EQ(back, of_place_1);
}

// During the trial of a mapping the program may move objects by itself.
TEST(Rebalancer, takes_back_its_own_moves_alone) {
  TestWorld world = equal_objects(24, {1.0, 1.0, 1.0});
  world.where.assign(24, 0);
  std::vector<bool> is_fixed(24);
  is_fixed[0] = true;
  Rebalancer rebalancer({}, {.is_fixed = is_fixed}, layout_of(3));
  auto const proposed = rebalancer.propose(world.loads(), 0).moves;
  world.follow(proposed);
  auto const place_of = [&](int object) -> int& {
    return world.where[static_cast<std::size_t>(object)];
  };
  int const sent_on = proposed.front().object;
  int stayed = 1;
  while (place_of(stayed) != 0) ++stayed;
  place_of(0) = 2;
  place_of(stayed) = 1;
  place_of(sent_on) = 3 - place_of(sent_on);
  int const elsewhere = place_of(sent_on);
  for (int const object : {0, stayed, sent_on}) ++world.moves[static_cast<std::size_t>(object)];

  world.follow(rebalancer.way_back(world.loads()));

  EXPECT_EQ(place_of(0), 2) << "it is fixed";
  EXPECT_EQ(place_of(stayed), 1);
  EXPECT_EQ(place_of(sent_on), elsewhere);
  for (Target const& each : proposed) {
    if (each.object == sent_on) continue;
    EXPECT_EQ(place_of(each.object), 0);
  }
}

TEST(Rebalancer, works_with_objects_that_are_not_made_yet) {
  TestWorld world = equal_objects(30, {1.0, 1.0});
  world.where.assign(30, 0);
  for (std::size_t object = 0; object < 30; object += 3) world.work[object] = -1.0;
  world.traffic = {{.from = 1, .to = 0, .messages = 5.0, .bytes = 9.0},
                   {.from = 1, .to = 2, .messages = 5.0, .bytes = 9.0}};
  Rebalancer rebalancer({}, free_objects(30), layout_of(2));

  for (int look = 0; look < 3; ++look) {
    auto const moves = rebalancer.propose(world.loads(), 0).moves;
    for (Target const& each : moves) {
      EXPECT_GT(world.work[static_cast<std::size_t>(each.object)], 0.0)
          << "object " << each.object << " is not made";
    }
    world.follow(moves);
    EXPECT_NEAR(world.work_at(0), world.work_at(1), 2e-3);
    world.work[static_cast<std::size_t>(3 * look)] = 1e-3;  // made meanwhile
  }
}

TEST(Rebalancer, has_nothing_to_say_of_one_place_or_of_no_objects) {
  TestWorld one = equal_objects(5, {1.0});
  Rebalancer alone({}, free_objects(5), layout_of(1));
  TestWorld none = equal_objects(0, {1.0, 1.0});
  Rebalancer idle({}, free_objects(0), layout_of(2));

  EXPECT_TRUE(alone.propose(one.loads(), 0).moves.empty());
  EXPECT_TRUE(idle.propose(none.loads(), 0).moves.empty());
}

TEST(Rebalancer, keeps_together_what_talks) {
  TestWorld world = equal_objects(8, {1.0, 1.0});
  world.where = {0, 1, 0, 1, 0, 1, 0, 1};
  for (int object = 0; object < 8; ++object) {
    int const peer = object < 4 ? (object + 1) % 4 : 4 + (object - 3) % 4;
    world.traffic.push_back({.from = object, .to = peer, .messages = 1e4, .bytes = 1e6});
  }
  Rebalancer rebalancer({}, free_objects(8),
                        assumed_layout(1, std::vector<int>{0, 0}, {.node_message_s = 1e-3}));

  Proposal const proposal = rebalancer.propose(world.loads(), 0);
  world.follow(proposal.moves);

  for (std::size_t object = 1; object < 4; ++object) {
    EXPECT_EQ(world.where[object], world.where[0]);
    EXPECT_EQ(world.where[object + 4], world.where[4]);
  }
  EXPECT_LT(proposal.predicted_new_s, proposal.predicted_now_s);
}

TEST(Rebalancer, refuses_invalid_options) {
  auto const make = [](BalanceOptions const& balance) {
    Rebalancer const rebalancer(balance, free_objects(4), layout_of(2));
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();

  EXPECT_NO_THROW(make({.speeds = {1.0, 2.0}}));
  EXPECT_THROW(make({.balancer = "makespam"}), InputError);
  EXPECT_THROW(make({.load_model = "lost"}), InputError);
  // Its places know loads of one phase.
  EXPECT_THROW(make({.balancer = "hierarchical", .load_model = "median"}), InputError);
  EXPECT_NO_THROW(make({.balancer = "hierarchical", .load_model = "last"}));
  EXPECT_THROW(make({.balancer_options = {{"no-such-option", 1.0}}}), InputError);
  EXPECT_THROW(make({.image_memory_bytes = 0.0}), InputError);
  EXPECT_THROW(make({.image_memory_bytes = -infinity}), InputError);
  EXPECT_THROW(make({.image_memory_bytes = std::nan("")}), InputError);
  EXPECT_THROW(make({.balancer = "gossip", .image_memory_bytes = 1e9}), InputError);
  EXPECT_NO_THROW(make({.image_memory_bytes = 1e9}));
  for (double const bad : {-0.1, infinity, -infinity, std::nan("")}) {
    EXPECT_THROW(make({.load_noise = bad}), InputError) << bad;
  }
  EXPECT_NO_THROW(make({.load_noise = 0.0}));
  EXPECT_THROW(make({.speeds = {1.0}}), InputError);
  EXPECT_THROW(make({.speeds = {1.0, 1.0, 1.0}}), InputError);
  EXPECT_NO_THROW(make({.speeds = {1e-15, 1e15}}));
  // Those that are taken are taken by every look, too: times availability, or what is learned.
  for (double const bad : {0.0, -1.0, infinity, std::nan(""), 1e-16, 1e16}) {
    EXPECT_THROW(make({.speeds = {1.0, bad}}), InputError) << bad;
  }
}

}  // namespace
}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
// Goal: objects go where they run well, by what is known of their collections, and no image is
// given more than it has memory for. Method: loads made from known work, speeds and kinds of cores.
#include "makespan/graph/rebalance/balanced_objects.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "makespan/graph/rebalance/rebalancer.hpp"
#include "measured_world.hpp"

namespace makespan::graph {
namespace {

// Objects of two collections on two places of each of two kinds: those of one run as fast on both,
// those of the other take four times as long on the second.
TEST(BalancedObjects, learns_what_runs_well_on_which_kind_of_core) {
  TestWorld world = equal_objects(64, {1.0, 1.0, 1.0, 1.0});
  BalancedObjects objects = free_objects(64);
  for (int object = 0; object < 64; ++object) objects.group.push_back(object % 2);
  PlaceLayout layout = layout_of(4);
  layout.kind = {0, 0, 1, 1};
  Rebalancer rebalancer({}, objects, layout);
  auto const loads = [&] {
    std::vector<PlaceLoads> all = world.loads();
    for (std::size_t place = 2; place < 4; ++place) {
      for (ObjectLoad& load : all[place].loads.objects) {
        if (load.object % 2 == 1) load.cpu_s *= 4.0;
      }
    }
    return all;
  };

  for (int look = 0; look < 6; ++look) world.follow(rebalancer.propose(loads(), look).moves);

  // The 32 that mind stay away from the second kind; all places have 16.
  for (std::size_t object = 0; object < 64; ++object) {
    if (object % 2 == 1) {
      EXPECT_LT(world.where[object], 2) << object;
    }
  }
  for (int place = 0; place < 4; ++place) EXPECT_NEAR(world.objects_at(place), 16, 1) << place;
  EXPECT_NEAR(rebalancer.kind_factors().factor(1, 1), 4.0, 0.2);
  EXPECT_NEAR(rebalancer.kind_factors().factor(0, 1), 1.0, 0.05);
  for (double const speed : rebalancer.speeds()) EXPECT_NEAR(speed, 1.0, 0.05);
}

TEST(BalancedObjects, learns_speeds_within_a_kind) {
  TestWorld world = equal_objects(90, {1.0, 0.25, 1.0});
  PlaceLayout layout = layout_of(3);
  layout.kind = {0, 0, 1};
  Rebalancer rebalancer({}, free_objects(90), layout);
  for (int look = 0; look < 12; ++look) {
    world.follow(rebalancer.propose(world.loads(), look).moves);
    for (std::size_t object = static_cast<std::size_t>(look); object < 90; object += 7) {
      world.where[object] = (world.where[object] + 1) % 3;
      ++world.moves[object];
    }
  }

  world.follow(rebalancer.propose(world.loads(), 12).moves);

  EXPECT_NEAR(rebalancer.speeds()[0] / rebalancer.speeds()[1], 4.0, 0.3);
  EXPECT_NEAR(world.objects_at(1), 10, 2);
  EXPECT_NEAR(world.objects_at(2), 40, 3);
}

// A place of each of two images, the second ten times as fast; objects of 100 bytes.
TEST(BalancedObjects, gives_an_image_no_more_than_it_has_memory_for) {
  std::vector<double> const speeds{0.1, 1.0};
  PlaceLayout const layout = assumed_layout(1, std::vector<int>{0, 0});
  TestWorld free = equal_objects(40, speeds);
  TestWorld world = free;
  Rebalancer balanced({.speeds = speeds}, free_objects(40), layout);
  free.follow(balanced.propose(free.loads(), 0).moves);
  ASSERT_GT(free.objects_at(1), 34) << "or nothing is tested";
  Rebalancer limited({.speeds = speeds, .image_memory_bytes = 2500.0}, free_objects(40), layout);

  world.follow(limited.propose(world.loads(), 0).moves);

  EXPECT_EQ(world.objects_at(1), 25);
}

TEST(BalancedObjects, keeps_memory_limits_whatever_the_balancer) {
  for (char const* const balancer : {"greedy", "refine", "nuco", "random"}) {
    TestWorld world = equal_objects(40, {1.0, 0.1});
    Rebalancer rebalancer(
        {.balancer = balancer, .speeds = {1.0, 0.1}, .image_memory_bytes = 2200.0},
        free_objects(40), assumed_layout(1, std::vector<int>{0, 0}));

    world.follow(rebalancer.propose(world.loads(), 0).moves);

    EXPECT_LE(world.objects_at(0), 22) << balancer;
    EXPECT_LE(world.objects_at(1), 22) << balancer;
  }
}

}  // namespace
}  // namespace makespan::graph

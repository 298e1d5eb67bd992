// SPDX-License-Identifier: Apache-2.0
#pragma once

// A world that tells a rebalancer what it measures, and follows it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "makespan/graph/rebalance/balanced_objects.hpp"
#include "makespan/graph/rebalance/object_loads.hpp"
#include "makespan/graph/rebalance/place_layout.hpp"
#include "makespan/graph/rebalance/rebalancer.hpp"
#include "makespan/graph/rebalance/target.hpp"

namespace makespan::graph {

// Objects of known work on places of known speed, which tell what they measure.
struct TestWorld {
  std::vector<double> work;         // by object; below 0: not made
  std::vector<int> where;           // by object
  std::vector<double> speed;        // by place
  std::vector<double> available{};  // by place; empty: all
  std::vector<std::uint32_t> moves{};
  std::vector<ObjectTraffic> traffic{};

  [[nodiscard]] std::vector<PlaceLoads> loads() {
    moves.resize(work.size(), 1);
    std::vector<PlaceLoads> places(speed.size());
    for (std::size_t object = 0; object < work.size(); ++object) {
      if (work[object] < 0.0) continue;
      auto const place = static_cast<std::size_t>(where[object]);
      places[place].loads.objects.push_back({.object = static_cast<std::int32_t>(object),
                                             .moves = moves[object],
                                             .cpu_s = work[object] / speed[place],
                                             .bytes = 100.0});
    }
    for (ObjectTraffic const& each : traffic) {
      places[static_cast<std::size_t>(where[static_cast<std::size_t>(each.from)])]
          .loads.traffic.push_back(each);
    }
    for (std::size_t place = 0; place < available.size(); ++place) {
      places[place].availability = available[place];
    }
    return places;
  }
  void follow(std::vector<Target> const& targets) {
    for (Target const& target : targets) {
      auto const object = static_cast<std::size_t>(target.object);
      EXPECT_NE(where[object], target.place) << "a move that is none";
      EXPECT_EQ(target.moves, moves[object] + 1);
      where[object] = target.place;
      moves[object] = target.moves;
    }
  }
  [[nodiscard]] double work_at(int place) const {
    double sum = 0.0;
    for (std::size_t object = 0; object < work.size(); ++object) {
      if (where[object] == place) sum += std::max(work[object], 0.0);
    }
    return sum;
  }
  [[nodiscard]] int objects_at(int place) const {
    return static_cast<int>(std::ranges::count(where, place));
  }
};

// By object: none is fixed.
inline BalancedObjects free_objects(std::size_t objects) {
  return {.is_fixed = std::vector<bool>(objects)};
}

inline PlaceLayout layout_of(int places) {
  return assumed_layout(places, std::vector<int>{0});
}

inline TestWorld equal_objects(int objects, std::vector<double> speed) {
  TestWorld world{.work = std::vector<double>(static_cast<std::size_t>(objects), 1e-3),
                  .where = {},
                  .speed = std::move(speed)};
  auto const places = std::ssize(world.speed);
  for (int object = 0; object < objects; ++object) {
    world.where.push_back(static_cast<int>(object * places / objects));
  }
  return world;
}

}  // namespace makespan::graph

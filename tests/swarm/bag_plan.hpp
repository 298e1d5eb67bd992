// SPDX-License-Identifier: Apache-2.0
#pragma once

// A world in which images share bags: what is drawn of it, and how it gets smaller.

#include <cstdint>
#include <string>
#include <vector>

#include "makespan/bag/dispatcher.hpp"
#include "makespan/bag/protocol/bag.hpp"
#include "makespan/bag/protocol/mode.hpp"
#include "makespan/bag/protocol/overdue_watch.hpp"
#include "swarm/virtual_world.hpp"

namespace makespan::swarm {

struct DevicePlan {
  int threads{1};
  bag::Mode mode{bag::Mode::automatic};
  double speed{1.0};          // of each thread [work/s]
  Nanoseconds fails{-1};      // below 0: never
  Nanoseconds hangs{-1};      // one of its threads, from then on; below 0: never
  Nanoseconds hang{0};        // for so long
  bool is_remembered{false};  // its speed, from an earlier run
};

struct ImagePlan {
  int node{0};
  std::vector<DevicePlan> devices{};
};

struct BagPlan {
  std::uint64_t seed{0};
  std::vector<ImagePlan> images{};
  std::vector<std::vector<bag::Segment>> bags{};  // one after the other
  std::string policy{};
  bag::Dispatcher dispatcher{bag::Dispatcher::steal};
  Weather weather{};
  Nanoseconds stop{-1};       // the bag of that time is stopped; below 0: none
  Nanoseconds disk{0};        // that image 0 takes to take in a result, at most
  std::size_t part_bytes{0};  // of a message that fits one message
  Nanoseconds look{0};        // between two looks for what is overdue; 0: none looks
  bag::OverdueRule overdue{};
};

[[nodiscard]] BagPlan bag_plan(std::uint64_t seed);
// Each is the plan with one thing less. The larger steps first.
[[nodiscard]] std::vector<BagPlan> smaller(BagPlan const& plan);
[[nodiscard]] std::string describe(BagPlan const& plan);

}  // namespace makespan::swarm

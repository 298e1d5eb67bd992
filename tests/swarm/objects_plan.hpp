// SPDX-License-Identifier: Apache-2.0
#pragma once

// A world in which objects send each other messages and move: what is drawn of it, and how it gets
// smaller.

#include <cstdint>
#include <string>
#include <vector>

#include "swarm/virtual_world.hpp"

namespace makespan::swarm {

struct ObjectsPlan {
  std::uint64_t seed{0};
  int images{1};
  int threads{1};  // of each image: places
  int objects{1};
  int phases{1};
  int words{1};                      // that each object says when a phase begins, at most
  int hops{0};                       // how often a word is passed on, at most
  double moves{0.0};                 // how many words make their receiver move
  int balance_every{0};              // phases from one look to the next; 0: none
  std::string balancer{};            // of one place, or of all together
  int checkpoint_every{0};           // phases from one to the next; 0: none
  Nanoseconds hearing{microsecond};  // what a word takes, at most
  Weather weather{};
};

[[nodiscard]] ObjectsPlan objects_plan(std::uint64_t seed);
// Each is the plan with one thing less. The larger steps first.
[[nodiscard]] std::vector<ObjectsPlan> smaller(ObjectsPlan const& plan);
[[nodiscard]] std::string describe(ObjectsPlan const& plan);

}  // namespace makespan::swarm

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The benchmark kNeighbor: a ring of objects that talk to those around them.
//
// In an iteration an object works, sends a message to each of its `neighbours`, and gets each back;
// when all are there, its next iteration begins. A step is so many iterations of all objects.

#include <cstdint>

#include "makespan/graph/object/initial_map.hpp"

namespace makespan::kneighbor {

// Whether who gets a message sends it back.
enum class Echo : std::uint8_t {
  on,   // an iteration is over when all messages have come back
  off,  // an iteration is over when those of all who send to the object have come
};

// How work depends on the object's number i, of n.
enum class WorkLaw : std::uint8_t {
  uniform,
  ramp,       // i + 1
  quadratic,  // (floor of i^2 / n)^2: a loop in a loop, each of that length
};

// Sizes are those of C. Mei's and A. Bhatele's benchmark, as it is published with NucoLB
// (L. L. Pilla et al., ICPP 2012, https://doi.org/10.1109/ICPP.2012.9).
struct Settings {
  int objects{400};
  // Those at the offsets -floor(k / 2) to ceil(k / 2) without 0, around the ring; below `objects`.
  int neighbours{7};
  std::int64_t bytes{8192};  // of a message's values, a multiple of 8
  std::int64_t steps{50};
  std::int64_t steps_per_phase{1};  // divides `steps`
  std::int64_t iterations{100};     // of a step
  Echo echo{Echo::on};
  WorkLaw law{WorkLaw::uniform};
  // Turns of a loop, about a nanosecond each, before an iteration's messages: the mean of all
  // objects.
  std::int64_t work_turns{100};
  graph::InitialMap map{graph::InitialMap::block};

  [[nodiscard]] std::int64_t rounds() const { return steps * iterations; }
};

// Throws InputError on invalid or inconsistent settings. Tested by
// tests/apps/kneighbor/settings_test.cpp.
void check_settings(Settings const& settings);

// Turns of each object in an iteration; those of all have the mean that was asked for, but for
// rounding.
class WorkTurns {
 public:
  explicit WorkTurns(Settings const& settings);
  [[nodiscard]] std::int64_t of(int index) const;

 private:
  Settings settings_;
  double scale_{0.0};  // turns for a weight of 1
};

// The object that `index` sends its message number 0 to neighbours - 1 to.
[[nodiscard]] int neighbour(Settings const& settings, int index, int number);

// Messages with values, of the whole run: neighbours x objects x iterations x steps, and with echo
// twice that.
[[nodiscard]] std::int64_t messages_of(Settings const& settings);

}  // namespace makespan::kneighbor

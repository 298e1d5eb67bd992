// SPDX-License-Identifier: Apache-2.0
#pragma once

// The part of its computing time in which a place had its core, from phase to phase.

#include <algorithm>

namespace makespan::graph {

// What was long ago counts less, each phase half of the next; what was short counts little, since a
// place that hardly computed was either stopped in it or not. Tested by
// tests/graph/protocol/availability_test.cpp.
class Availability {
 public:
  // Of one phase: the time that the place computed, and the processor's time in it [s].
  void tell(double wall_s, double cpu_s) {
    wall_s_ = fading * wall_s_ + wall_s;
    cpu_s_ = fading * cpu_s_ + std::clamp(cpu_s, 0.0, wall_s);
  }

  // Above 0, at most 1; 1 of a place that has not computed.
  [[nodiscard]] double value() const {
    return (cpu_s_ + undisturbed_s) / (wall_s_ + undisturbed_s);
  }

 private:
  static constexpr double fading = 0.5;
  static constexpr double undisturbed_s = 1e-3;  // taken to have been before

  double wall_s_{0.0};
  double cpu_s_{0.0};
};

}  // namespace makespan::graph

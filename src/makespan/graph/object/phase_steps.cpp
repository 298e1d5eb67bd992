// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/phase_steps.hpp"

#include <string>

#include "makespan/base/error.hpp"

namespace makespan::graph {

void check_steps(std::int64_t steps, std::int64_t steps_per_phase) {
  if (steps >= 1 && steps_per_phase >= 1 && steps % steps_per_phase == 0) return;
  throw InputError(
      "steps = " + std::to_string(steps) + ", in phases of " + std::to_string(steps_per_phase),
      "a run is one phase or more, and a phase one step or more",
      "give a multiple of the steps of a phase");
}

}  // namespace makespan::graph

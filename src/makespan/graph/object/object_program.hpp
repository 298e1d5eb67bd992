// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a run of objects does, phase by phase.

#include <cstdint>
#include <functional>
#include <vector>

#include "makespan/base/quantity.hpp"

namespace makespan::graph {

class ObjectPlace;

// Of one phase, as the coordinator saw it.
struct PhaseReport {
  std::int64_t phase{};
  double time_s{};          // from its beginning, at the coordinator, until all was quiet
  double elapsed_s{};       // from the beginning of the run's first phase, at the coordinator
  double busy_s_longest{};  // of the place that computed longest, of its own clock
  double busy_s_mean{};     // of all places
  std::int64_t messages{};  // to objects, objects that came, and word of where they are
  std::int64_t moved{};     // objects that came to other places before it
  double moved_bytes{};
  double decision_s{};  // looking at loads and deciding, before it
  bool is_measured{};   // what each object took and sent
};

// After a phase.
enum class Next : std::uint8_t { go_on, stop };

struct ObjectProgram {
  // At each place, first, in its thread: sets up what its objects have in common.
  std::function<void(ObjectPlace& here)> prepare{};
  // At each place, once: makes the first objects. Not called when a run is taken up
  // from a checkpoint.
  std::function<void(ObjectPlace& here)> create{};
  // At each place, in its thread, when a phase begins and its objects have come: sends the phase's
  // first messages. The phase lasts until no message is left anywhere.
  std::function<void(ObjectPlace& here, std::int64_t phase)> begin{};
  // Asked at place 0: whether loads of this phase are measured, for ObjectPlace::cpu_s(), also
  // where the balancer does not want to know them.
  std::function<bool(std::int64_t phase)> is_measured{};
  // At place 0, after each phase, while no place computes.
  std::function<Next(PhaseReport const& report)> after{};
  // At each place, when all phases are over; objects are still there.
  std::function<void(ObjectPlace& here)> end{};
  // From the first one of all: where a run is taken up from a checkpoint that is as far, or
  // further, none is left, and it ends when its objects are there.
  std::int64_t phases{1};
};

}  // namespace makespan::graph

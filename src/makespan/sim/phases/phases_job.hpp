// SPDX-License-Identifier: Apache-2.0
#pragma once

// Objects that talk, over many phases, on places that need not exist: what is asked, and what came
// of it.

#include <cstdint>
#include <string>
#include <vector>

#include "makespan/base/option_values.hpp"
#include "makespan/graph/model/graph.hpp"
#include "makespan/graph/protocol/trigger_options.hpp"

namespace makespan::sim {

// How loads change: the work of a growing object is multiplied by 1 + growth from phase to phase,
// and that of every object by noise of mean 1. Drawn from the seed.
struct LoadCourse {
  double growth{0.0};         // above -1
  double growing_share{0.0};  // of the objects
  double noise{0.0};          // standard deviation over mean, of each object in each phase
  std::uint64_t seed{1};
};

// From the beginning of `phase` on a place has its core for this part of the time.
struct PlaceChange {
  int place{};
  std::int64_t phase{};
  double factor{};  // above 0, at most 1
};

struct PhasesJob {
  std::int64_t phases{100};
  std::string balancer{"makespan"};
  OptionValues balancer_options{};
  graph::BalanceWhen when{graph::BalanceWhen::automatic};
  std::int64_t every{10};  // periodic: phases from look to look
  LoadCourse loads{};
  std::vector<PlaceChange> changes{};
  double look_s_per_object{1e-6};  // to gather the loads and to decide
};

// A phase, and what came before it. Times in seconds.
struct SimulatedPhase {
  double time_s{};     // of the place that ends last
  double compute_s{};  // of all places, over all their speeds: spread evenly, without messages
  double look_s{};     // then: loads were looked at
  double migrate_s{};  // all waited so long for objects
  std::int64_t moved{};
  double moved_bytes{};
};

struct PhasesResult {
  std::vector<SimulatedPhase> phases{};
  graph::Mapping mapping{};  // at the end

  // Looks and migrations included.
  [[nodiscard]] double total_s() const {
    double total = 0.0;
    for (SimulatedPhase const& phase : phases) {
      total += phase.look_s + phase.migrate_s + phase.time_s;
    }
    return total;
  }
};

}  // namespace makespan::sim

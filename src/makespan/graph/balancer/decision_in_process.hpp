// SPDX-License-Identifier: Apache-2.0
#pragma once

// All places of a decision in one thread: message by message, in the order in which they are sent.

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "makespan/graph/balancer/place_decision.hpp"

namespace makespan::graph {

// What each place took, and said.
struct DecisionCost {
  std::vector<double> place_s{};  // by place [s]; empty where no clock is given
  std::int64_t messages{0};
};

// The outcomes of all places, by place. `now_s`, where given, is the time on a clock [s].
[[nodiscard]] std::vector<DecisionOutcome> decide_in_process(
    std::vector<std::unique_ptr<PlaceDecision>>& places, int steps, DecisionCost* cost = nullptr,
    std::function<double()> const& now_s = {});

// What the places of a graph know of their objects, by place.
[[nodiscard]] std::vector<KnownObjects> known_objects(Graph const& graph, Places const& places);

}  // namespace makespan::graph

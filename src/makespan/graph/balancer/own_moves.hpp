// SPDX-License-Identifier: Apache-2.0
#pragma once

// A decision in which each place decides of its own objects alone.

#include <vector>

#include "makespan/graph/balancer/place_decision.hpp"

namespace makespan::graph {

// Each place tells those where its objects shall be of what comes; one step. Times are not looked
// at. Tested by tests/graph/balancer/own_moves_test.cpp.
class OwnMoves final : public PlaceDecision {
 public:
  // Those that are at this place, and in `to` where they shall be, elsewhere.
  explicit OwnMoves(std::vector<KnownObject> objects);

  void step(int number, DecisionOutbox& outbox) override;
  void take(int from, DecisionMessage message, DecisionOutbox& outbox) override;
  [[nodiscard]] DecisionOutcome outcome() override;

 private:
  DecisionOutcome outcome_{};
};

}  // namespace makespan::graph

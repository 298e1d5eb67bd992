// SPDX-License-Identifier: Apache-2.0
#pragma once

// Moves everything: what a run must survive, and what moving costs.

#include "makespan/graph/balancer/place_decision.hpp"

namespace makespan::graph {

// Each object to the place after its own, from the last to the first (Charm++'s RotateLB). Each
// place decides of its own. Tested by tests/graph/balancer/rotate_test.cpp.
class RotateBalancer final : public DistributedBalancer {
 public:
  static constexpr std::string_view name = "rotate";
  static constexpr std::string_view summary = "each object to the next place; to test moving";
  [[nodiscard]] static std::span<OptionHelp const> option_help() { return {}; }

  explicit RotateBalancer(OptionValues const& given) { expect_no_options(name, given); }

  [[nodiscard]] int steps() const override { return 1; }
  [[nodiscard]] std::unique_ptr<PlaceDecision> at_place(DecisionView view) const override;
  [[nodiscard]] bool reads_messages() const override { return false; }
};

}  // namespace makespan::graph

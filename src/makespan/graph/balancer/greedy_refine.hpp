// SPDX-License-Identifier: Apache-2.0
#pragma once

// Greedy's balance with fewer moves: who can stay at home stays.

#include "makespan/graph/balancer/balancer.hpp"

namespace makespan::graph {

// Charm++'s GreedyRefine (TreeLB): M is `tolerance` times the longest place of greedy's mapping.
// The heaviest object first, each stays where it is while its place then takes no more than M, and
// else goes where it would end first; M grows to the time of that place, if it is longer. Messages
// are not looked at. O(objects (log objects + log places + places of other kinds or speeds)).
//
// Tested by tests/graph/balancer/greedy_refine_test.cpp.
class GreedyRefineBalancer final : public Balancer {
 public:
  static constexpr std::string_view name = "greedy_refine";
  static constexpr std::string_view summary =
      "as greedy, but an object stays where it is while that place is no later than greedy's last";
  [[nodiscard]] static std::span<OptionHelp const> option_help();

  explicit GreedyRefineBalancer(OptionValues const& given);

  [[nodiscard]] Mapping map(Graph const& graph, Places const& places) const override;
  [[nodiscard]] bool reads_messages() const override { return false; }

 private:
  double tolerance_;
};

}  // namespace makespan::graph

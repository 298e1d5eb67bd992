// SPDX-License-Identifier: Apache-2.0
#pragma once

// The heaviest object first, each to the place that would end first with it.

#include "makespan/graph/balancer/balancer.hpp"

namespace makespan::graph {

// Longest processing time first (Graham, "Bounds on multiprocessing timing anomalies", 1969; for
// places of unequal speed Gonzalez, Ibarra, Sahni, "Bounds for LPT schedules on uniform
// processors", 1977). On equal places Charm++'s rule (TreeLB, Greedy): the heaviest object to the
// least loaded place. Where objects are, and what they say to each other, is not looked at.
//
// No place of an equal machine ends later than (4/3 - 1/(3 places)) times the best mapping's, as
// far as computing goes. O(objects (log objects + log places + places of other kinds or speeds)).
//
// Tested by tests/graph/balancer/greedy_test.cpp.
class GreedyBalancer final : public Balancer {
 public:
  static constexpr std::string_view name = "greedy";
  static constexpr std::string_view summary =
      "the heaviest object first, each where it would end first; messages are not looked at";
  [[nodiscard]] static std::span<OptionHelp const> option_help() { return {}; }

  explicit GreedyBalancer(OptionValues const& given) { expect_no_options(name, given); }

  [[nodiscard]] Mapping map(Graph const& graph, Places const& places) const override;
  [[nodiscard]] bool reads_messages() const override { return false; }
};

}  // namespace makespan::graph

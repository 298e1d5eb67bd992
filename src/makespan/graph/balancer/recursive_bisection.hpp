// SPDX-License-Identifier: Apache-2.0
#pragma once

// Cuts the graph in two, and both halves again, as the machine's places are halved.

#include "makespan/graph/balancer/balancer.hpp"

namespace makespan::graph {

// Recursive bisection of the graph itself, as Charm++'s RecBipartLB does it; no coordinates are
// needed. How is in division.hpp. Where objects are now is not looked at.
// O((objects + edges) log objects log places).
//
// Tested by tests/graph/balancer/recursive_bisection_test.cpp.
class RecursiveBisectionBalancer final : public Balancer {
 public:
  static constexpr std::string_view name = "recursive_bisection";
  static constexpr std::string_view summary =
      "cuts graph and machine in two, and again, along few messages";
  [[nodiscard]] static std::span<OptionHelp const> option_help() { return {}; }

  explicit RecursiveBisectionBalancer(OptionValues const& given) { expect_no_options(name, given); }

  [[nodiscard]] Mapping map(Graph const& graph, Places const& places) const override;
};

}  // namespace makespan::graph

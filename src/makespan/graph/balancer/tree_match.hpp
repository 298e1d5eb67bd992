// SPDX-License-Identifier: Apache-2.0
#pragma once

// Greedy's groups of objects, laid out so that those that talk most are near each other.

#include "makespan/graph/balancer/balancer.hpp"

namespace makespan::graph {

// After TreeMatchLB: E. Jeannot, G. Mercier, F. Tessier, "Process placement in multicore clusters:
// algorithmic issues and practical techniques", IEEE TPDS 25(4), 2014,
// https://doi.org/10.1109/TPDS.2013.104. Greedy first; then the groups of objects that share a
// place are laid out by the bytes between them (group_layout.hpp), first into domains, then level
// by level into nodes.
//
// Charm++'s version, removed in 2019, renumbers the place of objects 0 … places − 1 only, all
// others keeping greedy's: a defect. Here all objects go with their group.
//
// O(objects (log objects + log places) + edges + levels · places² log places).
//
// Tested by tests/graph/balancer/tree_match_test.cpp.
class TreeMatchBalancer final : public Balancer {
 public:
  static constexpr std::string_view name = "tree_match";
  static constexpr std::string_view summary =
      "as greedy, then groups that talk most to each other go to near places";
  [[nodiscard]] static std::span<OptionHelp const> option_help() { return {}; }

  explicit TreeMatchBalancer(OptionValues const& given) { expect_no_options(name, given); }

  [[nodiscard]] Mapping map(Graph const& graph, Places const& places) const override;
};

}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Greedy's groups of objects, laid out so that those that talk most are near each other.

#include "makespan/graph/balancer/balancer.hpp"

namespace makespan::graph {

// After TreeMatchLB: E. Jeannot, G. Mercier, F. Tessier, "Process placement in multicore clusters:
// algorithmic issues and practical techniques", IEEE TPDS 25(4), 2014,
// https://doi.org/10.1109/TPDS.2013.104. Greedy first; then a matrix of the bytes between the
// groups of objects that share a place; then groups change places with others on places of the same
// kind and speed, which leaves their times as greedy made them. Bottom up: each domain takes a
// group and then, one by one, the group that has most bytes with those it has; what the domains
// took is then a matrix of domains, which nodes take in the same way, among domains with the same
// places. A group's bytes with objects that may not move count where those are. Should the phase be
// longer than greedy's, which such objects may bring about, greedy's mapping stays.
//
// Charm++'s version, removed in 2019, renumbers the place of objects 0 … places − 1 only, all
// others keeping greedy's: a defect. Here all move.
//
// O(objects (log objects + log places) + edges + places²).
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

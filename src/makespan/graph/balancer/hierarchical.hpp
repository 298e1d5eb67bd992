// SPDX-License-Identifier: Apache-2.0
#pragma once

// Groups of places that decide by themselves, in parallel, under one that evens out groups.

#include <cstdint>
#include <string_view>

#include "makespan/graph/balancer/place_decision.hpp"

namespace makespan::graph {

// As HybridLB of Charm++ (G. Zheng, A. Bhatele, E. Meneses, L. Kale, "Periodic hierarchical load
// balancing for large supercomputers", IJHPCA 2011, https://doi.org/10.1177/1094342010394383), in
// two levels:
//
//   places   tell the leader of their group what they have
//   leaders  tell the first of them how much work their group has, and at which speed
//   the top  says which group gives how much work to which (detail/place_groups.hpp)
//   leaders  take objects for that out of their groups, hand them over, and put what they have then
//            where `makespan` puts it, among the places of the group (detail/group_leader.hpp)
//
// No place knows of more objects than those of its group and those that come to it. One step;
// O(group's (objects + edges) log objects) at a leader, once for each group that it gives to, and
// O(places) at the top. Tested by tests/graph/balancer/hierarchical_test.cpp.
class HierarchicalBalancer final : public DistributedBalancer {
 public:
  static constexpr std::string_view name = "hierarchical";
  static constexpr std::string_view summary =
      "groups of places that decide by `makespan` in parallel, and one that evens out groups";
  [[nodiscard]] static std::span<OptionHelp const> option_help();

  explicit HierarchicalBalancer(OptionValues const& given);

  [[nodiscard]] int steps() const override { return 1; }
  [[nodiscard]] std::unique_ptr<PlaceDecision> at_place(DecisionView view) const override;

 private:
  int group_;
  double tolerance_;
};

}  // namespace makespan::graph

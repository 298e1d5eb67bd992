// SPDX-License-Identifier: Apache-2.0
#pragma once

// Takes from places that are too late what fits elsewhere, and touches nothing else.

#include "makespan/graph/balancer/balancer.hpp"

namespace makespan::graph {

// After Charm++'s RefineLB. M is `tolerance` times the mean time of a place, weighted by speed.
// Places that take longer than M, the longest first, give away objects, the heaviest first: each
// to the place where it would end first, if that is no later than M, until the giver takes no more
// than M either. What fits nowhere stays. Charm++ looks for the least tolerance that it can keep;
// here it is given. Messages are not looked at. O(objects (log objects + log places + places of
// other kinds or speeds)).
//
// Tested by tests/graph/balancer/refine_test.cpp.
class RefineBalancer final : public Balancer {
 public:
  static constexpr std::string_view name = "refine";
  static constexpr std::string_view summary =
      "places that take too long give their heaviest objects to places where they fit";
  [[nodiscard]] static std::span<OptionHelp const> option_help();

  explicit RefineBalancer(OptionValues const& given);

  [[nodiscard]] Mapping map(Graph const& graph, Places const& places) const override;
  [[nodiscard]] bool reads_messages() const override { return false; }

 private:
  double tolerance_;
};

}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The graph partitioner Scotch as a balancer.

#include <cstdint>

#include "makespan/graph/balancer/balancer.hpp"

namespace makespan::graph {

// Scotch 7's static mapping (F. Pellegrini, "Scotch and PT-Scotch graph partitioning software: an
// overview", in Combinatorial Scientific Computing, 2012, https://doi.org/10.1201/b11644-15) onto a
// complete graph of places weighted by their share (SCOTCH_archCmpltw): little talk across, loads
// in proportion. Objects that may not move are vertices fixed to their place. To Scotch all places
// are equally far from each other; the parts are then laid out by group_layout.hpp. One thread, the
// seed's draws. Where objects are now is not looked at.
//
// The constructor throws NotConfigured in builds without Scotch. Tested by
// tests/graph/balancer/partitioners_test.cpp.
class ScotchBalancer final : public Balancer {
 public:
  static constexpr std::string_view name = "scotch";
  static constexpr std::string_view summary =
      "the partitioner Scotch: few messages between places, work by their speed";
  [[nodiscard]] static bool is_built();
  [[nodiscard]] static std::span<OptionHelp const> option_help();

  explicit ScotchBalancer(OptionValues const& given);

  [[nodiscard]] Mapping map(Graph const& graph, Places const& places) const override;

 private:
  explicit ScotchBalancer(CheckedOptions const& options);

  double imbalance_;
  std::uint64_t seed_;
};

}  // namespace makespan::graph

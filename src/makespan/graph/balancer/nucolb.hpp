// SPDX-License-Identifier: Apache-2.0
#pragma once

// NucoLB as it was published.

#include "makespan/graph/balancer/balancer.hpp"

namespace makespan::graph {

// L. L. Pilla, C. P. Ribeiro, D. Cordeiro et al., "A hierarchical approach for load balancing on
// parallel multi-core systems", ICPP 2012, to the letter: by the rule of list_schedule.hpp, with
//
//   M = alpha · (Σ messages · NUCO factor, from other domains − Σ messages, from its own)
//
// so that bytes count nothing, and what comes from the place's own domain is taken off. The NUCO
// factor is Places::nuco_factor(); the published code's alpha is 1e-5 s.
//
// Tested by tests/graph/balancer/nucolb_test.cpp.
class NucoLbBalancer final : public Balancer {
 public:
  static constexpr std::string_view name = "nucolb";
  static constexpr std::string_view summary =
      "NucoLB as published: as nuco, a message costing a constant times its latency's factor";
  [[nodiscard]] static std::span<OptionHelp const> option_help();

  explicit NucoLbBalancer(OptionValues const& given);

  [[nodiscard]] Mapping map(Graph const& graph, Places const& places) const override;

 private:
  double alpha_s_;
};

}  // namespace makespan::graph

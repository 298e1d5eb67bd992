// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/nucolb.hpp"

#include <array>

#include "makespan/graph/balancer/detail/list_schedule.hpp"
#include "makespan/graph/times/message_costs.hpp"

namespace makespan::graph {

namespace {

constexpr std::array<OptionHelp, 1> nucolb_help{{
    {"alpha_s", OptionKind::real, 1e-5, 0.0, 1.0, "what a message costs; as published"},
}};

}  // namespace

std::span<OptionHelp const> NucoLbBalancer::option_help() {
  return nucolb_help;
}

NucoLbBalancer::NucoLbBalancer(OptionValues const& given)
    : alpha_s_(CheckedOptions(name, nucolb_help, given).real("alpha_s")) {
}

Mapping NucoLbBalancer::map(Graph const& graph, Places const& places) const {
  return list_schedule(graph, places, MessageCosts::by_nuco_factor(places, alpha_s_));
}

}  // namespace makespan::graph

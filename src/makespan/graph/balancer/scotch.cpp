// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/scotch.hpp"

#include <array>

#include "makespan/base/error.hpp"
#include "makespan/graph/partition/communication_graph.hpp"
#include "makespan/graph/partition/group_layout.hpp"
#include "makespan/graph/partition/partitioner_input.hpp"
#include "makespan/graph/partition/scotch_library.hpp"
#include "makespan/graph/partition/work_shares.hpp"

namespace makespan::graph {

namespace {

constexpr std::array<OptionHelp, 2> scotch_help{{
    {"imbalance", OptionKind::real, 0.02, 0.001, 1.0, "by which part a place may get too much"},
    {"seed", OptionKind::whole, 1.0, 0.0, 2147483647.0, "another seed, another mapping"},
}};

// Shares of places add up to this: as fine as 32 bits of work allow.
constexpr double share_sum = 0x1p24;

}  // namespace

bool ScotchBalancer::is_built() {
  return has_scotch();
}

std::span<OptionHelp const> ScotchBalancer::option_help() {
  return scotch_help;
}

ScotchBalancer::ScotchBalancer(OptionValues const& given)
    : ScotchBalancer(CheckedOptions(name, scotch_help, given)) {
  if (!is_built()) not_configured("Scotch");
}

ScotchBalancer::ScotchBalancer(CheckedOptions const& options)
    : imbalance_(options.real("imbalance")),
      seed_(static_cast<std::uint64_t>(options.whole("seed"))) {
}

Mapping ScotchBalancer::map(Graph const& graph, Places const& places) const {
  if (graph.objects() == 0 || places.count() == 1) return graph.now();
  WorkShares const shares = work_shares(graph, places);
  Mapping mapping = graph.now();
  for (int object = 0; object < graph.objects(); ++object) {
    if (graph.may_move(object)) mapping[static_cast<std::size_t>(object)] = scotch_is_to_choose;
  }
  scotch_map({.graph = partitioner_input(CommunicationGraph(graph, places), shares.weight),
              .shares = in_proportion(shares.share, share_sum),
              .imbalance = imbalance_,
              .seed = static_cast<std::int32_t>(seed_)},
             mapping);
  // To Scotch all places are equally far from each other: distance counts from here on.
  return laid_out(graph, places, mapping);
}

}  // namespace makespan::graph

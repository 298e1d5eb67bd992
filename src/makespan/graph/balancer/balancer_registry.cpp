// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/balancer_registry.hpp"

#include <array>

#include "makespan/base/named_entry.hpp"
#include "makespan/graph/balancer/gossip.hpp"
#include "makespan/graph/balancer/greedy.hpp"
#include "makespan/graph/balancer/greedy_comm.hpp"
#include "makespan/graph/balancer/greedy_refine.hpp"
#include "makespan/graph/balancer/hierarchical.hpp"
#include "makespan/graph/balancer/hw_topo.hpp"
#include "makespan/graph/balancer/makespan_balancer.hpp"
#include "makespan/graph/balancer/metis.hpp"
#include "makespan/graph/balancer/multicore.hpp"
#include "makespan/graph/balancer/nuco.hpp"
#include "makespan/graph/balancer/nucolb.hpp"
#include "makespan/graph/balancer/random_place.hpp"
#include "makespan/graph/balancer/recursive_bisection.hpp"
#include "makespan/graph/balancer/refine.hpp"
#include "makespan/graph/balancer/rotate.hpp"
#include "makespan/graph/balancer/scotch.hpp"
#include "makespan/graph/balancer/tree_match.hpp"

namespace makespan::graph {

namespace {

template <RegisteredBalancer B>
BalancerEntry entry() {
  return {B::name, B::summary, B::option_help(),
          [](OptionValues const& given) -> std::unique_ptr<Balancer> {
            return std::make_unique<B>(given);
          },
          B::is_built()};
}

}  // namespace

std::span<BalancerEntry const> balancers() {
  static std::array const entries{
      entry<MakespanBalancer>(),
      entry<GossipBalancer>(),
      entry<GreedyBalancer>(),
      entry<GreedyCommBalancer>(),
      entry<GreedyRefineBalancer>(),
      entry<HierarchicalBalancer>(),
      entry<HwTopoBalancer>(),
      entry<MetisBalancer>(),
      entry<MulticoreBalancer>(),
      entry<NucoBalancer>(),
      entry<NucoLbBalancer>(),
      entry<RandomPlaceBalancer>(),
      entry<RecursiveBisectionBalancer>(),
      entry<RefineBalancer>(),
      entry<RotateBalancer>(),
      entry<ScotchBalancer>(),
      entry<TreeMatchBalancer>(),
  };
  return entries;
}

BalancerEntry const& balancer_entry(std::string_view name) {
  return entry_named("balancer", balancers(), name);
}

std::unique_ptr<Balancer> make_balancer(std::string_view name, OptionValues const& given) {
  return balancer_entry(name).make(given);
}

}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/balancer_registry.hpp"

#include <array>

#include "makespan/base/named_entry.hpp"
#include "makespan/graph/balancer/greedy.hpp"
#include "makespan/graph/balancer/greedy_comm.hpp"
#include "makespan/graph/balancer/greedy_refine.hpp"
#include "makespan/graph/balancer/nuco.hpp"
#include "makespan/graph/balancer/random_place.hpp"
#include "makespan/graph/balancer/refine.hpp"
#include "makespan/graph/balancer/rotate.hpp"

namespace makespan::graph {

namespace {

template <RegisteredBalancer B>
BalancerEntry entry() {
  return {B::name, B::summary, B::option_help(),
          [](OptionValues const& given) -> std::unique_ptr<Balancer> {
            return std::make_unique<B>(given);
          }};
}

}  // namespace

std::span<BalancerEntry const> balancers() {
  static std::array const entries{
      entry<GreedyBalancer>(), entry<GreedyCommBalancer>(),  entry<GreedyRefineBalancer>(),
      entry<NucoBalancer>(),   entry<RandomPlaceBalancer>(), entry<RefineBalancer>(),
      entry<RotateBalancer>(),
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

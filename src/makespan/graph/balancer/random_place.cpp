// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/random_place.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "makespan/base/random_draws.hpp"
#include "makespan/graph/partition/work_shares.hpp"

namespace makespan::graph {

namespace {

constexpr std::array<OptionHelp, 1> random_place_help{{
    {"seed", OptionKind::whole, 1.0, 0.0, 1e15, "another seed, another mapping"},
}};

}  // namespace

std::span<OptionHelp const> RandomPlaceBalancer::option_help() {
  return random_place_help;
}

RandomPlaceBalancer::RandomPlaceBalancer(OptionValues const& given)
    : seed_(static_cast<std::uint64_t>(
          CheckedOptions(name, random_place_help, given).whole("seed"))) {
}

Mapping RandomPlaceBalancer::map(Graph const& graph, Places const& places) const {
  std::vector<double> upto = work_shares(graph, places).share;
  std::partial_sum(upto.begin(), upto.end(), upto.begin());
  RandomDraws const draws(seed_);
  Mapping mapping = graph.now();
  for (int object = 0; object < graph.objects(); ++object) {
    if (!graph.may_move(object)) continue;
    auto const found = std::ranges::upper_bound(upto, draws.at(object));
    auto const place = static_cast<std::int32_t>(found - upto.begin());
    // Shares may add up to a little less than 1.
    mapping[static_cast<std::size_t>(object)] = std::min(place, places.count() - 1);
  }
  return mapping;
}

}  // namespace makespan::graph

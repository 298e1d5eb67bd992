// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/hw_topo.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace makespan::graph {

namespace {

constexpr std::array<OptionHelp, 5> hw_topo_help{{
    {"alpha", OptionKind::real, 0.8, 0.0, 1.0, "how often the latest place is chosen"},
    {"beta", OptionKind::real, 0.8, 0.0, 1.0, "how often its most expensive object is chosen"},
    {"temperature", OptionKind::real, 0.1, 0.0, 1e6,
     "how bad a place may be to be drawn: of the phase, or if faithful in seconds"},
    {"seed", OptionKind::whole, 1.0, 0.0, 1e15, "another seed, other draws"},
    {"faithful", OptionKind::whole, 0.0, 0.0, 1.0,
     "1: as published, it ends when an object stays; 0: as often as there are objects"},
}};

struct Move {
  std::int32_t object;
  std::int32_t place;
};

// The published rule: the least weight, of the longest phase, is not to vanish.
double hot_enough_s(std::span<double const> longest_s, double temperature_s) {
  double const greatest = std::ranges::max(longest_s);
  // Doubling makes no temperature of 0.
  double hot = std::max(temperature_s, 1e-9);
  while (std::exp(-greatest / hot) <= 0.0) hot *= 2;
  return hot;
}

int movable_objects(Graph const& graph) {
  int count = 0;
  for (int object = 0; object < graph.objects(); ++object) count += graph.may_move(object) ? 1 : 0;
  return count;
}

}  // namespace

int gibbs_drawn(std::span<double const> longest_s, double temperature_s, double draw) {
  auto const least = std::ranges::min_element(longest_s);
  if (temperature_s <= 0.0) return static_cast<int>(least - longest_s.begin());
  double sum = 0.0;
  std::vector<double> upto;
  for (double const longest : longest_s) {
    // Over the least: the law is the same, and no temperature is so low that all weights vanish.
    sum += std::exp((*least - longest) / temperature_s);
    upto.push_back(sum);
  }
  auto const found = std::ranges::upper_bound(upto, draw * sum);
  return static_cast<int>(std::min(found - upto.begin(), std::ssize(upto) - 1));
}

std::span<OptionHelp const> HwTopoBalancer::option_help() {
  return hw_topo_help;
}

HwTopoBalancer::HwTopoBalancer(OptionValues const& given)
    : HwTopoBalancer(CheckedOptions(name, hw_topo_help, given)) {
}

HwTopoBalancer::HwTopoBalancer(CheckedOptions const& options)
    : alpha_(options.real("alpha")),
      beta_(options.real("beta")),
      temperature_(options.real("temperature")),
      seed_(static_cast<std::uint64_t>(options.whole("seed"))),
      is_faithful_(options.whole("faithful") == 1) {
}

int HwTopoBalancer::any_of(int count, RandomDraws& draws) const {
  if (!is_faithful_) return draws.below(count);
  // As published: the last is never drawn.
  return static_cast<int>(std::floor(static_cast<double>(count - 1) * draws.next()));
}

int HwTopoBalancer::chosen_place(MoveCosts const& costs, int places, RandomDraws& draws) const {
  if (draws.next() >= alpha_) return any_of(places, draws);
  int latest = 0;
  for (int place = 1; place < places; ++place) {
    if (costs.total_s(place) > costs.total_s(latest)) latest = place;
  }
  return latest;
}

int HwTopoBalancer::chosen_object(MoveCosts const& costs, int place, RandomDraws& draws) const {
  auto const objects = costs.movable(place);
  if (draws.next() >= beta_) {
    return objects[static_cast<std::size_t>(any_of(static_cast<int>(objects.size()), draws))];
  }
  return *std::ranges::max_element(objects, [&](std::int32_t a, std::int32_t b) {
    return costs.cost_s(a) < costs.cost_s(b) || (costs.cost_s(a) == costs.cost_s(b) && a > b);
  });
}

Mapping HwTopoBalancer::map(Graph const& graph, Places const& places) const {
  MoveCosts costs(graph, places, graph.now());
  RandomDraws draws(seed_);
  std::vector<double> longest(static_cast<std::size_t>(places.count()));
  std::vector<Move> moves;
  std::size_t best = 0;  // so many of the moves lead to the best mapping seen
  double best_s = std::numeric_limits<double>::infinity();
  int const iterations = movable_objects(graph);
  for (int iteration = 0; iteration < iterations; ++iteration) {
    int const place = chosen_place(costs, places.count(), draws);
    if (costs.movable(place).empty()) continue;
    int const object = chosen_object(costs, place, draws);
    costs.longest_if_moved(object, longest);
    double const now_s = longest[static_cast<std::size_t>(place)];
    // The present mapping has been seen, too: unless faithful, only a shorter one is the answer.
    best_s = std::min(best_s, now_s);
    double const left = 1.0 - static_cast<double>(iteration) / iterations;
    double const temperature_s =
        is_faithful_ ? hot_enough_s(longest, temperature_) : temperature_ * left * now_s;
    int const drawn = gibbs_drawn(longest, temperature_s, draws.next());
    if (drawn == place && is_faithful_) break;
    costs.move(object, drawn);
    moves.push_back({.object = object, .place = drawn});
    if (is_faithful_ || longest[static_cast<std::size_t>(drawn)] < best_s) {
      best_s = longest[static_cast<std::size_t>(drawn)];
      best = moves.size();
    }
  }

  Mapping mapping = graph.now();
  // Moves were written down, not mappings: the best one seen is that after the first `best` of
  // them.
  for (std::size_t at = 0; at < best; ++at) {
    mapping[static_cast<std::size_t>(moves[at].object)] = moves[at].place;
  }
  return mapping;
}

}  // namespace makespan::graph

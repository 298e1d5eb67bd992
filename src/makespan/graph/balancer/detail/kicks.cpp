// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/detail/kicks.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "makespan/base/random_draws.hpp"
#include "makespan/graph/balancer/within_memory.hpp"
#include "makespan/graph/model/lower_bound.hpp"

namespace makespan::graph {

namespace {

constexpr std::uint64_t kick_seed = 1;
// What is shorter by `gain` is the best; the search goes on from what is not longer than that by
// `loss`.
constexpr double gain = 0.001;
constexpr double rounding = 1e-12;
constexpr double loss = 0.005;
constexpr int objects_kicked = 6'000;  // rounds, times the objects of a graph
// A round looks at all places, too: in the time of one object at so many.
constexpr int places_for_an_object = 16;
// As many times more where memories have limits, which leave fewer ways.
constexpr int times_within_limits = 4;
// At most this part of the objects, and at least two.
constexpr int part_kicked = 8;

template <class Items>
auto one_of(Items const& items, RandomDraws& draws) {
  return items[static_cast<std::size_t>(draws.below(static_cast<int>(std::ssize(items))))];
}

// By block, the objects that need it.
std::vector<std::vector<int>> sharers(Graph const& graph) {
  std::vector<std::vector<int>> all(static_cast<std::size_t>(graph.blocks()));
  for (int object = 0; object < graph.objects(); ++object) {
    if (graph.block(object) >= 0)
      all[static_cast<std::size_t>(graph.block(object))].push_back(object);
  }
  return all;
}

// An object drawn, and others: those it talks with, or any. Where `sharers` are given, half of the
// times those that share its block.
std::vector<int> kicked(Graph const& graph, std::vector<int> const& movable,
                        std::vector<std::vector<int>> const& sharers, RandomDraws& draws) {
  if (!sharers.empty() && draws.below(2) == 0) {
    // A block counts as long as one object needs it: what shares one frees memory only together.
    int const block = graph.block(one_of(movable, draws));
    if (block >= 0) {
      std::vector<int> objects = sharers[static_cast<std::size_t>(block)];
      std::erase_if(objects, [&](int object) { return !graph.may_move(object); });
      return objects;
    }
  }
  int const most = std::max(2, static_cast<int>(movable.size()) / part_kicked);
  int const count = 1 + draws.below(most);
  bool const takes_neighbours = draws.below(2) == 0;
  std::vector<int> objects{one_of(movable, draws)};
  std::span<Traffic const> const near = graph.received(objects.front());
  for (int turn = 1; turn < count; ++turn) {
    if (takes_neighbours && !near.empty()) {
      objects.push_back(one_of(near, draws).other);
    } else {
      objects.push_back(one_of(movable, draws));
    }
  }
  std::erase_if(objects, [&](int object) { return !graph.may_move(object); });
  return objects;
}

}  // namespace

void improve_by_kicks(PhaseState& state, double phases,
                      std::function<void(PhaseState& state)> const& improve) {
  Graph const& graph = state.graph();
  Places const& places = state.places();
  std::vector<int> movable;
  for (int object = 0; object < graph.objects(); ++object) {
    if (graph.may_move(object)) movable.push_back(object);
  }
  if (movable.empty()) return;
  std::vector<std::vector<int>> const blocks =
      places.has_memory_limits() ? sharers(graph) : std::vector<std::vector<int>>{};
  RandomDraws draws(kick_seed);
  int const times = places.has_memory_limits() ? times_within_limits : 1;
  int const size = std::max(graph.objects(), places.count() / places_for_an_object);
  int const rounds = times * objects_kicked / size;
  // Nothing is shorter than the bound: where it is reached the search ends.
  double const least_s = lower_bound(graph, places).value() * (1.0 + rounding);
  Mapping present = state.mapping();
  Mapping best = present;
  double best_s = state.longest_s();
  for (int round = 0; round < rounds && best_s > least_s; ++round) {
    Mapping kicked_mapping = present;
    bool const goes_together = draws.below(2) == 0;
    int place = draws.below(places.count());
    for (int const object : kicked(graph, movable, blocks, draws)) {
      if (!goes_together) place = draws.below(places.count());
      kicked_mapping[static_cast<std::size_t>(object)] = place;
    }
    PhaseState next(graph, places, within_memory(graph, places, std::move(kicked_mapping)), phases);
    improve(next);
    double const next_s = next.longest_s();
    // Beside what was given: `state` changes only when the search has ended.
    if (next.excess_bytes() > state.excess_bytes()) continue;
    if (next_s > (1.0 + loss) * best_s) continue;
    present = next.mapping();
    if (!(next_s < (1.0 - gain) * best_s)) continue;
    best = present;
    best_s = next_s;
  }
  for (int const object : movable) {
    int const there = best[static_cast<std::size_t>(object)];
    if (state.place_of(object) == there) continue;
    state.look_at(object);
    state.move_to(there);
  }
}

}  // namespace makespan::graph

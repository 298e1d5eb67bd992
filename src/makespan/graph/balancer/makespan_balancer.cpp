// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/makespan_balancer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "makespan/graph/balancer/detail/kicks.hpp"
#include "makespan/graph/balancer/detail/worst_first.hpp"
#include "makespan/graph/balancer/greedy.hpp"
#include "makespan/graph/balancer/sweep.hpp"
#include "makespan/graph/balancer/within_memory.hpp"
#include "makespan/graph/model/phase_time.hpp"
#include "makespan/graph/partition/clusters.hpp"
#include "makespan/graph/partition/division.hpp"
#include "makespan/graph/partition/mean_costs.hpp"
#include "makespan/graph/times/phase_state.hpp"

namespace makespan::graph {

namespace {

constexpr std::array<OptionHelp, 2> makespan_balancer_help{{
    {"phases", OptionKind::real, 10.0, 0.01, 1e9,
     "phases over which the way of moved objects is spread: until the next balancing"},
    {"worth", OptionKind::real, 0.02, 0.0, 1.0,
     "a mapping that moves more objects must be better by this part"},
}};

// Sweeps before the longest place is looked at, unless one moves fewer than this part of all.
constexpr int sweeps = 3;
constexpr int few_moved = 1000;
// Places may be beyond the mean by so much while sweeps are made.
constexpr double cap = 1.01;
// Looks at objects while the longest place is made shorter: a few milliseconds for a thousand.
constexpr std::int64_t looks_for_each = 40;
constexpr std::int64_t looks_min = 20'000;
// Graphs of more objects for each place are divided by their clusters, of which each place gets
// about so many.
constexpr std::int64_t objects_for_each_place = 32;
constexpr double clusters_for_each_place = 16.0;
// For graphs of so few objects there is time to search on: some milliseconds.
constexpr int few_objects = 100;
// However noisy loads are, a gain of more than this part is one: what looks like noise may be work
// that changes.
constexpr double chance_max = 0.1;
// Receiving, or the busiest link, takes more than this part of the time.
constexpr double much_talk = 0.1;

void improve(PhaseState& state) {
  int const objects = state.graph().objects();
  // First what makes all times together less, then the longest place: the latter cannot see how
  // messages far from that place could be saved.
  for (int i = 0; i < sweeps; ++i) {
    std::int64_t const moved = sweep(state, cap * state.mean_s());
    if (moved * few_moved < objects) break;
  }
  shorten_worst_first(state, looks_for_each * objects + looks_min);
}

Mapping divided(Graph const& graph, Places const& places) {
  if (graph.objects() <= objects_for_each_place * places.count()) return divide(graph, places);
  std::vector<double> const times = mean_times_s(graph, places);
  double const all = std::accumulate(times.begin(), times.end(), 0.0);
  Clusters const clusters =
      clusters_of(graph, places, all / (places.count() * clusters_for_each_place));
  return clusters.spread(divide(clusters.graph, places));
}

// Whether messages take so much that dividing the graph anew may pay.
bool talks_much(Graph const& graph, Places const& places, Mapping const& mapping) {
  PhaseTimes const times = phase_times(graph, places, mapping);
  double const receive = std::accumulate(times.receive_s.begin(), times.receive_s.end(), 0.0);
  double const compute = std::accumulate(times.compute_s.begin(), times.compute_s.end(), 0.0);
  return receive > much_talk * (receive + compute) ||
         times.longest_link_s > much_talk * times.longest_s();
}

// By which part the longest of places' times is longer than their mean where it is noise alone that
// makes them unequal: the largest of n normal numbers is about sqrt(2 ln n) deviations from their
// mean (David and Nagaraja, "Order Statistics", 2003).
double gain_by_chance(Graph const& graph, Places const& places) {
  return std::min(chance_max, graph.noise() * std::sqrt(2.0 * std::log(places.count())));
}

// Whether it matters where an object runs, apart from messages.
bool has_kinds(Places const& places) {
  return std::ranges::any_of(places.all(),
                             [&](Place const& place) { return place.kind != places[0].kind; });
}

}  // namespace

std::span<OptionHelp const> MakespanBalancer::option_help() {
  return makespan_balancer_help;
}

MakespanBalancer::MakespanBalancer(OptionValues const& given)
    : phases_{CheckedOptions(name, makespan_balancer_help, given).real("phases")},
      worth_{CheckedOptions(name, makespan_balancer_help, given).real("worth")} {
}

Mapping MakespanBalancer::map(Graph const& graph, Places const& places) const {
  if (places.count() == 1) return graph.now();
  // A gain that is in measured loads alone would be none.
  double const chance = gain_by_chance(graph, places);
  Mapping mapping = within_memory(graph, places, graph.now());
  PhaseState const now(graph, places, mapping, phases_);
  double longest = (1.0 - chance) * now.longest_s();
  double excess = now.excess_bytes();
  bool const is_even = longest <= 0.0;
  if (is_even) return mapping;
  // Takes what comes of it if that is better by the part `worth`, or exceeds memories by less.
  auto const begin_with = [&](Mapping from, double worth) {
    PhaseState state(graph, places, within_memory(graph, places, std::move(from)), phases_);
    improve(state);
    if (graph.objects() <= few_objects) improve_by_kicks(state, phases_, improve);
    // What memories lack counts first.
    if (state.excess_bytes() > excess) return;
    bool const is_shorter = state.longest_s() < (1.0 - worth) * longest;
    if (!is_shorter && !(state.excess_bytes() < excess)) return;
    longest = state.longest_s();
    excess = state.excess_bytes();
    mapping = state.mapping();
  };
  begin_with(mapping, 0.0);
  if (has_kinds(places)) begin_with(GreedyBalancer({}).map(graph, places), worth_);
  // After improving: what is still said from place to place is what dividing anew could save.
  if (talks_much(graph, places, mapping)) begin_with(divided(graph, places), worth_);
  return mapping;
}

}  // namespace makespan::graph

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
// Of what noise explains, so much is left: what is less is not there to be saved.
constexpr double noise_kept = 0.5;
// Receiving, or the busiest link, takes more than this part of the time.
constexpr double much_talk = 0.1;
// The mean of places' times is no less after improving than this part of what it was, as a rule.
constexpr double saved_by_improving = 0.9;
// Looks at which a division is left out, at most, and by how much what messages take must have
// grown for one before its turn.
constexpr int left_out_max = 8;
constexpr double talk_grown = 1.25;

// `noise`: the part by which places that are even seem longer than their mean.
void improve(PhaseState& state, double noise) {
  int const objects = state.graph().objects();
  // First what makes all times together less, then the longest place: the latter cannot see how
  // messages far from that place could be saved.
  for (int i = 0; i < sweeps; ++i) {
    std::int64_t const moved = sweep(state, cap * state.mean_s());
    if (moved * few_moved < objects) break;
  }
  // Where loads are known, as short as it gets.
  double const enough_s = noise > 0.0 ? (1.0 + noise_kept * noise) * state.mean_s() : 0.0;
  shorten_worst_first(state, looks_for_each * objects + looks_min, enough_s);
}

Mapping divided(Graph const& graph, Places const& places) {
  if (graph.objects() <= objects_for_each_place * places.count()) return divide(graph, places);
  std::vector<double> const times = mean_times_s(graph, places);
  double const all = std::accumulate(times.begin(), times.end(), 0.0);
  Clusters const clusters =
      clusters_of(graph, places, all / (places.count() * clusters_for_each_place));
  return clusters.spread(divide(clusters.graph, places));
}

// What messages take [s]: receiving, of all places; or the busiest link, for as many, where that is
// more.
struct MessageTime {
  bool is_much{false};
  double all_s{0.0};
};

MessageTime message_time(Graph const& graph, Places const& places, Mapping const& mapping) {
  PhaseTimes const times = phase_times(graph, places, mapping);
  double const receive = std::accumulate(times.receive_s.begin(), times.receive_s.end(), 0.0);
  double const compute = std::accumulate(times.compute_s.begin(), times.compute_s.end(), 0.0);
  return {.is_much = receive > much_talk * (receive + compute) ||
                     times.longest_link_busy_s > much_talk * times.longest_s(),
          .all_s = std::max(receive, times.longest_link_busy_s * places.count())};
}

// Whether it is a division's turn, after those in vain; counts the look if not.
bool is_turn(PastLooks& past, MessageTime const& messages) {
  if (past.in_vain == 0 || messages.all_s > talk_grown * past.talk_s) return true;
  int const pause = std::min(left_out_max, 1 << std::min(past.in_vain - 1, left_out_max));
  if (past.left_out >= pause) return true;
  ++past.left_out;
  return false;
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
  PastLooks none;
  return map_again(graph, places, none);
}

Mapping MakespanBalancer::map_again(Graph const& graph, Places const& places,
                                    PastLooks& past) const {
  if (places.count() == 1) return graph.now();
  // A gain that is in measured loads alone would be none.
  double const chance = gain_by_chance(graph, places);
  PhaseState const now(graph, places, within_memory(graph, places, graph.now()), phases_);
  Mapping mapping = now.mapping();
  double longest = (1.0 - chance) * now.longest_s();
  double excess = now.excess_bytes();
  if (longest <= 0.0) return mapping;
  // Where it matters which kind of place an object is on, even places need not be good ones.
  bool const are_kinds = has_kinds(places);
  double const unseen = are_kinds ? 0.0 : chance;
  auto const improve_all = [unseen](PhaseState& state) { improve(state, unseen); };
  // Takes what comes of it if that is better by the part `worth`, or exceeds memories by less;
  // whether it did.
  auto const begin_with = [&](PhaseState state, double worth) {
    improve_all(state);
    if (graph.objects() <= few_objects) improve_by_kicks(state, phases_, improve_all);
    // What memories lack counts first.
    if (state.excess_bytes() > excess) return false;
    bool const is_shorter = state.longest_s() < (1.0 - worth) * longest;
    if (!is_shorter && !(state.excess_bytes() < excess)) return false;
    longest = state.longest_s();
    excess = state.excess_bytes();
    mapping = state.mapping();
    return true;
  };
  auto const state_of = [&](Mapping from) {
    return PhaseState(graph, places, within_memory(graph, places, std::move(from)), phases_);
  };
  // Where noise alone explains what is uneven, there are only messages to be saved.
  bool const is_even = unseen > 0.0 && excess <= 0.0 && longest <= now.mean_s();
  bool is_moved = !is_even && begin_with(now, 0.0);
  if (are_kinds && begin_with(state_of(GreedyBalancer({}).map(graph, places)), worth_)) {
    is_moved = true;
  }
  // After improving: what is still said from place to place is what dividing anew could save.
  MessageTime const messages = message_time(graph, places, mapping);
  if (!messages.is_much || !is_turn(past, messages)) return mapping;
  if (is_even) is_moved = begin_with(now, 0.0);
  PhaseState const anew = state_of(divided(graph, places));
  // Improving makes places even, and saves a few messages; kinds are not what was divided by.
  bool const may_win =
      are_kinds || saved_by_improving * anew.mean_s() < longest || anew.excess_bytes() < excess;
  // Against what is there noise counts already.
  double const worth = is_moved ? std::max(worth_, unseen) : worth_;
  bool const is_better = may_win && begin_with(anew, worth);
  past = {.in_vain = is_better ? 0 : past.in_vain + 1, .talk_s = messages.all_s};
  return mapping;
}

}  // namespace makespan::graph

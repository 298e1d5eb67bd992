// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/refine.hpp"

#include <algorithm>
#include <array>

#include "makespan/graph/balancer/detail/heaviest_first.hpp"
#include "makespan/graph/model/phase_time.hpp"
#include "makespan/graph/times/place_heap.hpp"

namespace makespan::graph {

namespace {

constexpr std::array<OptionHelp, 1> refine_help{{
    {"tolerance", OptionKind::real, 1.05, 1.0, 100.0,
     "a place may take so many times the mean of places"},
}};

// The places' times as things are.
std::vector<double> times_now(Graph const& graph, Places const& places) {
  std::vector<double> times(static_cast<std::size_t>(places.count()));
  for (int object = 0; object < graph.objects(); ++object) {
    std::int32_t const place = graph.now()[static_cast<std::size_t>(object)];
    times[static_cast<std::size_t>(place)] += places.time_of(graph, object, place).value();
  }
  return times;
}

std::vector<int> later_than(double most_s, std::vector<double> const& times) {
  std::vector<int> late;
  for (std::size_t place = 0; place < times.size(); ++place) {
    if (times[place] > most_s) late.push_back(static_cast<int>(place));
  }
  std::ranges::stable_sort(late, std::greater<>(),
                           [&](int place) { return times[static_cast<std::size_t>(place)]; });
  return late;
}

}  // namespace

std::span<OptionHelp const> RefineBalancer::option_help() {
  return refine_help;
}

RefineBalancer::RefineBalancer(OptionValues const& given)
    : tolerance_(CheckedOptions(name, refine_help, given).real("tolerance")) {
}

Mapping RefineBalancer::map(Graph const& graph, Places const& places) const {
  std::vector<double> const times = times_now(graph, places);
  double const most_s = tolerance_ * mean_time_s(places, times);
  PlaceHeap heap(places);
  for (int place = 0; place < places.count(); ++place) {
    heap.set(place, times[static_cast<std::size_t>(place)]);
  }
  Mapping mapping = graph.now();
  std::vector<std::vector<std::int32_t>> objects(times.size());
  for (std::int32_t const object : heaviest_first(graph, places)) {
    objects[static_cast<std::size_t>(mapping[static_cast<std::size_t>(object)])].push_back(object);
  }

  // A place that is still to give gets nothing before, since it is beyond M: its time in `times`
  // holds until its turn.
  for (int const late : later_than(most_s, times)) {
    for (std::int32_t const object : objects[static_cast<std::size_t>(late)]) {
      if (heap.time_s(late) <= most_s) break;
      int const place = heap.first_to_end(graph, object);
      double const there_s = places.time_of(graph, object, place).value();
      // On no place would it end earlier: it fits nowhere.
      if (heap.time_s(place) + there_s > most_s) continue;
      heap.add(place, there_s);
      heap.add(late, -places.time_of(graph, object, late).value());
      mapping[static_cast<std::size_t>(object)] = place;
    }
  }
  return mapping;
}

}  // namespace makespan::graph

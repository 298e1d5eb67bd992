// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/greedy_refine.hpp"

#include <algorithm>
#include <array>

#include "makespan/graph/balancer/detail/heaviest_first.hpp"
#include "makespan/graph/times/place_heap.hpp"

namespace makespan::graph {

namespace {

constexpr std::array<OptionHelp, 1> greedy_refine_help{{
    {"tolerance", OptionKind::real, 1.0, 1.0, 100.0,
     "a place may take so many times greedy's longest before objects leave it"},
}};

// Of the places, when greedy has dealt out `order`.
double longest_by_greedy_s(Graph const& graph, Places const& places,
                           std::span<std::int32_t const> order) {
  PlaceHeap heap(places);
  add_fixed(graph, places, heap);
  double longest = 0.0;
  for (int place = 0; place < places.count(); ++place) {
    longest = std::max(longest, heap.time_s(place));
  }
  for (std::int32_t const object : order) {
    longest = std::max(longest, heap.put_first_to_end(graph, object).end_s);
  }
  return longest;
}

}  // namespace

std::span<OptionHelp const> GreedyRefineBalancer::option_help() {
  return greedy_refine_help;
}

GreedyRefineBalancer::GreedyRefineBalancer(OptionValues const& given)
    : tolerance_(CheckedOptions(name, greedy_refine_help, given).real("tolerance")) {
}

Mapping GreedyRefineBalancer::map(Graph const& graph, Places const& places) const {
  std::vector<std::int32_t> const order = heaviest_first(graph, places);
  // Greedy is run for the length of its longest place alone, not for where it would put objects.
  double most_s = tolerance_ * longest_by_greedy_s(graph, places, order);
  Mapping mapping = graph.now();
  PlaceHeap heap(places);
  add_fixed(graph, places, heap);
  for (std::int32_t const object : order) {
    std::int32_t& place = mapping[static_cast<std::size_t>(object)];
    double end_s = heap.time_s(place) + places.time_of(graph, object, place).value();
    if (end_s > most_s) {
      auto const [first, first_end_s] = heap.put_first_to_end(graph, object);
      place = first;
      end_s = first_end_s;
    } else {
      heap.set(place, end_s);
    }
    most_s = std::max(most_s, end_s);
  }
  return mapping;
}

}  // namespace makespan::graph

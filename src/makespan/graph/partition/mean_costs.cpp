// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/partition/mean_costs.hpp"

namespace makespan::graph {

MeanCosts mean_costs(Places const& places) {
  MeanCosts mean;
  for (int from = 0; from < places.domains(); ++from) {
    for (int to = 0; to < places.domains(); ++to) {
      mean.message_s += places.receive_s(from, to);
      mean.byte_s += places.seconds_per_byte(from, to);
    }
  }
  double const pairs = static_cast<double>(places.domains()) * places.domains();
  return {mean.message_s / pairs, mean.byte_s / pairs};
}

std::vector<double> mean_times_s(Graph const& graph, Places const& places) {
  std::vector<double> share(static_cast<std::size_t>(graph.kinds()));
  // By kind, so that an object's mean costs O(kinds), however many places there are.
  for (Place const& place : places.all()) {
    share[static_cast<std::size_t>(place.kind)] += 1.0 / place.speed.value();
  }
  std::vector<double> times(static_cast<std::size_t>(graph.objects()));
  for (int object = 0; object < graph.objects(); ++object) {
    for (int kind = 0; kind < graph.kinds(); ++kind) {
      times[static_cast<std::size_t>(object)] +=
          graph.work(object, kind).value() * share[static_cast<std::size_t>(kind)];
    }
    times[static_cast<std::size_t>(object)] /= places.count();
  }
  return times;
}

}  // namespace makespan::graph

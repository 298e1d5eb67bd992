// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/detail/heaviest_first.hpp"

#include <algorithm>
#include <limits>

namespace makespan::graph {

namespace {

// By kind; 0 of kinds that no place has.
std::vector<double> greatest_speeds(Graph const& graph, Places const& places) {
  std::vector<double> greatest(static_cast<std::size_t>(graph.kinds()));
  for (Place const& place : places.all()) {
    double& speed = greatest[static_cast<std::size_t>(place.kind)];
    speed = std::max(speed, place.speed.value());
  }
  return greatest;
}

struct Keyed {
  double time_s;
  std::int32_t object;
};

}  // namespace

std::vector<std::int32_t> heaviest_first(Graph const& graph, Places const& places) {
  std::vector<double> const speeds = greatest_speeds(graph, places);
  std::vector<Keyed> keyed;
  keyed.reserve(static_cast<std::size_t>(graph.objects()));
  for (int object = 0; object < graph.objects(); ++object) {
    if (!graph.may_move(object)) continue;
    double least = std::numeric_limits<double>::infinity();
    for (int kind = 0; kind < graph.kinds(); ++kind) {
      double const speed = speeds[static_cast<std::size_t>(kind)];
      if (speed > 0.0) least = std::min(least, graph.work(object, kind).value() / speed);
    }
    keyed.push_back({least, object});
  }
  std::ranges::sort(keyed, [](Keyed const& a, Keyed const& b) {
    return a.time_s > b.time_s || (a.time_s == b.time_s && a.object < b.object);
  });
  std::vector<std::int32_t> order;
  order.reserve(keyed.size());
  for (Keyed const& one : keyed) order.push_back(one.object);
  return order;
}

}  // namespace makespan::graph

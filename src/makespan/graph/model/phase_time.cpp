// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/model/phase_time.hpp"

#include "makespan/base/contracts.hpp"

namespace makespan::graph {

namespace {

// The harmonic mean over places, so that one that hardly does any does not count.
double mean_object_s(Graph const& graph, Places const& places) {
  double rate = 0.0;  // mean objects a second, of all places
  for (int kind = 0; kind < graph.kinds(); ++kind) {
    double work = 0.0;
    for (int object = 0; object < graph.objects(); ++object) {
      work += graph.work(object, kind).value();
    }
    double speed = 0.0;
    for (Place const& place : places.all()) {
      if (place.kind == kind) speed += place.speed.value();
    }
    if (speed <= 0.0) continue;
    if (work <= 0.0) return 0.0;
    rate += speed * graph.objects() / work;
  }
  return places.count() / rate;
}

}  // namespace

LinkTimes idle_links(Graph const& graph, Places const& places) {
  return {places, places.nodes() > 1 ? mean_object_s(graph, places) : 0.0};
}

PhaseTimes phase_times(Graph const& graph, Places const& places,
                       std::span<std::int32_t const> mapping) {
  MAKESPAN_EXPECT(std::ssize(mapping) == graph.objects());
  auto const count = static_cast<std::size_t>(places.count());
  PhaseTimes times{.compute_s = std::vector<double>(count),
                   .receive_s = std::vector<double>(count)};
  LinkTimes links = idle_links(graph, places);
  for (int object = 0; object < graph.objects(); ++object) {
    std::int32_t const place = mapping[static_cast<std::size_t>(object)];
    MAKESPAN_EXPECT(place >= 0 && place < places.count());
    auto const at = static_cast<std::size_t>(place);
    times.compute_s[at] += places.time_of(graph, object, place).value();
    times.receive_s[at] += receive_s(graph, places, mapping, object, place);
    if (!links.are_any()) continue;
    for (Traffic const& in : graph.received(object)) {
      std::int32_t const sender = mapping[static_cast<std::size_t>(in.other)];
      links.add(places[sender].domain, places[place].domain, in.bytes);
    }
  }
  times.longest_link_s = links.longest_s();
  times.longest_link_busy_s = links.longest_busy_s();
  return times;
}

double mean_time_s(Places const& places, std::span<double const> times_s) {
  double work = 0.0;
  for (int place = 0; place < places.count(); ++place) {
    work += times_s[static_cast<std::size_t>(place)] * places[place].speed.value();
  }
  return work / places.speed_sum().value();
}

}  // namespace makespan::graph

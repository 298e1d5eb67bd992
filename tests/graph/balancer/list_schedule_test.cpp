// SPDX-License-Identifier: Apache-2.0
// Goal: domains find what looking at each place finds. Method: the published loop over all places,
// run beside.
#include "makespan/graph/balancer/detail/list_schedule.hpp"

#include <gtest/gtest.h>

#include "graph/small_graphs.hpp"

#include <algorithm>
#include <limits>

#include "makespan/graph/balancer/detail/heaviest_first.hpp"

namespace makespan::graph {
namespace {

Mapping by_factors(Graph const& graph, Places const& places) {
  return list_schedule(graph, places, MessageCosts::by_nuco_factor(places, 1e-5));
}

// The published W of an object on each place, the object off its own.
double published_w(Graph const& graph, Places const& places, Mapping const& mapping,
                   std::vector<double> const& times, std::int32_t object, int place) {
  double w = times[static_cast<std::size_t>(place)] + places.time_of(graph, object, place).value();
  int const here = places[place].domain;
  for (Traffic const& in : graph.received(object)) {
    int const there = places[mapping[static_cast<std::size_t>(in.other)]].domain;
    double const factor = here == there ? -1.0 : places.nuco_factor(there, here);
    w += 1e-5 * static_cast<double>(in.messages) * factor;
  }
  return w;
}

// Runs the published loop with the choices of `decided`, each of which must be a best one.
void expect_best_choices(Graph const& graph, Places const& places, Mapping const& decided) {
  Mapping mapping = graph.now();
  std::vector<double> times(static_cast<std::size_t>(places.count()));
  auto const add = [&](std::int32_t object, double sign) {
    std::int32_t const place = mapping[static_cast<std::size_t>(object)];
    times[static_cast<std::size_t>(place)] += sign * places.time_of(graph, object, place).value();
  };
  for (int object = 0; object < graph.objects(); ++object) add(object, 1.0);
  for (std::int32_t const object : heaviest_first(graph, places)) {
    add(object, -1.0);
    double least = std::numeric_limits<double>::infinity();
    for (int place = 0; place < places.count(); ++place) {
      least = std::min(least, published_w(graph, places, mapping, times, object, place));
    }
    std::int32_t const chosen = decided[static_cast<std::size_t>(object)];
    // Sums in another order.
    EXPECT_NEAR(published_w(graph, places, mapping, times, object, chosen), least, 1e-12);
    mapping[static_cast<std::size_t>(object)] = chosen;
    add(object, 1.0);
  }
}

TEST(ListSchedule, finds_by_domain_what_the_published_code_of_NucoLB_finds_by_place) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    Places const alike = domains_of_places(4, 3);
    Graph const graph(random_graph(seed, 200, 5, 12));
    expect_best_choices(graph, alike, by_factors(graph, alike));

    Places const uneven = places_of_speeds({1, 2, 1, 0.5, 3});
    Graph const other(random_graph(seed, 100, 5, 5));
    expect_best_choices(other, uneven, by_factors(other, uneven));
  }
}

}  // namespace
}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
// Goal: ends by domain are what looking at every place gives. Method: random times against a scan.
#include "makespan/graph/times/domain_times.hpp"

#include <gtest/gtest.h>

#include "graph/small_graphs.hpp"

#include <cmath>
#include <limits>
#include <random>

#include "makespan/base/contracts.hpp"

namespace makespan::graph {
namespace {

// Three domains: several kinds and speeds, one place, none.
Places uneven() {
  return Places(
      {{}, {.speed = Speed{2}}, {.domain = 1}, {.speed = Speed{2}}, {.kind = 1, .speed = Speed{5}}},
      {Domain{}, Domain{}, Domain{}},
      {.latency_s = std::vector<double>(9), .bandwidth_bytes_s = std::vector<double>(9, 1.0)});
}

Graph two_kinds() {
  GraphColumns columns = silent({});
  std::mt19937_64 random{2};
  columns.kinds = 2;
  for (int object = 0; object < 300; ++object) {
    for (int kind = 0; kind < 2; ++kind) {
      columns.work.push_back(std::uniform_real_distribution{0.0, 1.0}(random));
    }
    columns.place.push_back(0);
  }
  return Graph(columns);
}

TEST(DomainTimes, finds_the_end_in_each_domain) {
  Places const places = uneven();
  Graph const graph = two_kinds();
  DomainTimes times(places);
  std::mt19937_64 random{7};
  for (int object = 0; object < graph.objects(); ++object) {
    std::vector<double> ends(3);
    times.ends(graph, object, ends);
    for (int domain = 0; domain < 2; ++domain) {
      double first = std::numeric_limits<double>::infinity();
      for (int const place : places.in(domain)) {
        first = std::min(first, times.time_s(place) + places.time_of(graph, object, place).value());
      }
      EXPECT_DOUBLE_EQ(ends[static_cast<std::size_t>(domain)], first);
      int const chosen = times.first_to_end(graph, object, domain);
      EXPECT_EQ(places[chosen].domain, domain);
      EXPECT_DOUBLE_EQ(times.time_s(chosen) + places.time_of(graph, object, chosen).value(), first);
    }
    EXPECT_TRUE(std::isinf(ends[2]));

    times.add(static_cast<int>(random() % 5), std::uniform_real_distribution{-0.2, 0.5}(random));
  }
}

TEST(DomainTimes, refuses_a_domain_without_places) {
  Places const places = uneven();
  Graph const graph(silent({1}));

  EXPECT_THROW(static_cast<void>(DomainTimes(places).first_to_end(graph, 0, 2)), ContractViolated);
}

}  // namespace
}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
// Goal: groups that talk most come near each other, into domains and nodes. Method: by hand.
#include "makespan/graph/partition/group_layout.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "graph/small_graphs.hpp"

#include "makespan/graph/model/phase_time.hpp"

namespace makespan::graph {
namespace {

// 0 and 2 talk most, then 1 and 3; each at the place of its number.
GraphColumns two_pairs() {
  GraphColumns columns = silent({1e-6, 1e-6, 1e-6, 1e-6});
  add_edge(columns, 0, 2, 1, 10'000);
  add_edge(columns, 2, 0, 1, 10'000);
  add_edge(columns, 1, 3, 1, 5'000);
  columns.place = {0, 1, 2, 3};
  return columns;
}

TEST(GroupLayout, fills_domains) {
  Graph const graph(two_pairs());

  EXPECT_EQ(laid_out(graph, domains_of_places(2, 2), graph.now()), (Mapping{0, 2, 1, 3}));
}

TEST(GroupLayout, fills_nodes) {
  Graph const graph(two_pairs());

  EXPECT_EQ(laid_out(graph, domains_of_places(4, 1), graph.now()), (Mapping{0, 2, 1, 3}));
}

// Of 16 places: two nodes of two packages of two caches of two cores.
Places four_levels() {
  std::vector<Place> places;
  std::vector<Domain> domains;
  DomainCosts costs;
  for (int cache = 0; cache < 8; ++cache) {
    places.insert(places.end(), 2, {.domain = cache});
    domains.push_back({.node = cache / 4, .groups = {cache / 2, cache}});
    for (int other = 0; other < 8; ++other) {
      double const factor = cache == other           ? 1.0
                            : cache / 2 == other / 2 ? 2.0
                            : cache / 4 == other / 4 ? 4.0
                                                     : 8.0;
      costs.latency_s.push_back(1e-6 * factor);
      costs.bandwidth_bytes_s.push_back(1e9 / factor);
    }
  }
  return Places(std::move(places), std::move(domains), std::move(costs));
}

TEST(GroupLayout, fills_every_level_of_a_tree) {
  // An object for each place; the more binary digits from the highest two numbers have in common,
  // the more they say to each other. They begin with their digits in reverse.
  GraphColumns columns = silent(std::vector<double>(16, 1e-6));
  auto const shared = [](int a, int b) {
    int digits = 0;
    while (digits < 4 && ((a ^ b) >> (3 - digits)) == 0) ++digits;
    return digits;
  };
  for (int object = 0; object < 16; ++object) {
    for (int other = 0; other < 16; ++other) {
      if (object == other) continue;
      double const bytes = std::pow(100.0, shared(object, other));
      add_edge(columns, object, other, 1, bytes);
    }
  }
  columns.place.clear();
  for (int object = 0; object < 16; ++object) {
    columns.place.push_back((object & 1) << 3 | (object & 2) << 1 | (object & 4) >> 1 |
                            (object & 8) >> 3);
  }
  Graph const graph(columns);
  Places const places = four_levels();

  Mapping const mapping = laid_out(graph, places, graph.now());

  for (int object = 0; object < 16; ++object) {
    for (int other = 0; other < 16; ++other) {
      // In common: what objects say, and what their places are in.
      EXPECT_EQ(shared(mapping[static_cast<std::size_t>(object)],
                       mapping[static_cast<std::size_t>(other)]),
                shared(object, other))
          << object << " and " << other;
    }
  }
}

TEST(GroupLayout, moves_whole_groups) {
  // Twice as many objects as places; the second half says nothing.
  GraphColumns columns = two_pairs();
  columns.work.resize(8, 1e-6);
  columns.place = {0, 1, 2, 3, 0, 1, 2, 3};
  Graph const graph(columns);

  EXPECT_EQ(laid_out(graph, domains_of_places(2, 2), graph.now()),
            (Mapping{0, 2, 1, 3, 0, 2, 1, 3}));
}

TEST(GroupLayout, does_not_make_the_phase_longer) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    GraphColumns columns = random_graph(seed, 60, 3, 12);
    columns.is_fixed.resize(60);
    for (std::size_t object = 0; object < 60; object += 7) columns.is_fixed[object] = 1;
    Graph const graph(columns);
    Places const places = domains_of_places(4, 3);

    EXPECT_LE(phase_times(graph, places, laid_out(graph, places, graph.now())).longest_s(),
              phase_times(graph, places, graph.now()).longest_s());
  }
}

}  // namespace
}  // namespace makespan::graph

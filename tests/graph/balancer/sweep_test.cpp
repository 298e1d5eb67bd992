// SPDX-License-Identifier: Apache-2.0
// Goal: objects go to their friends where there is room, and away from places that have too much.
// Method: by hand, and random graphs.
#include "makespan/graph/balancer/sweep.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "graph/small_graphs.hpp"

namespace makespan::graph {
namespace {

constexpr double no_cap_s = 1e30;
constexpr double no_cap = std::numeric_limits<double>::infinity();

double sum_of(PhaseState const& state) {
  return std::accumulate(state.times_s().begin(), state.times_s().end(), 0.0);
}

// Two pairs that talk; each pair is divided between the places.
GraphColumns divided_pairs() {
  GraphColumns columns = silent({1e-3, 1e-3, 1e-3, 1e-3});
  add_edge(columns, 0, 1, 1000, 0);
  add_edge(columns, 2, 3, 1000, 0);
  columns.place = {0, 1, 0, 1};
  return columns;
}

TEST(Sweep, brings_friends_together) {
  Graph const graph(divided_pairs());
  Places const places = equal_places(2);
  PhaseState state(graph, places, graph.now(), no_cap_s);

  int const moved = sweep(state, 3.5e-3);

  EXPECT_EQ(moved, 2);
  EXPECT_EQ(state.place_of(0), state.place_of(1));
  EXPECT_EQ(state.place_of(2), state.place_of(3));
}

TEST(Sweep, keeps_places_below_the_cap) {
  // 2 ms and half a millisecond for messages each: with a third object a place would take 3 ms.
  GraphColumns columns = divided_pairs();
  columns.from = {0, 3};
  columns.to = {1, 2};
  columns.messages = {500, 500};
  Graph const graph(columns);
  Places const places = equal_places(2);
  PhaseState state(graph, places, graph.now(), no_cap_s);

  EXPECT_EQ(sweep(state, 2.9e-3), 0);
  EXPECT_EQ(sweep(state, 3.1e-3), 2);
}

TEST(Sweep, takes_from_places_beyond_the_cap) {
  Graph const graph(silent(std::vector(100, 1e-3)));
  Places const places = equal_places(4);
  PhaseState state(graph, places, graph.now(), no_cap_s);

  sweep(state, 26e-3);

  EXPECT_LE(state.longest_s(), 26e-3 + 1e-12);
}

TEST(Sweep, never_makes_all_times_together_longer_where_no_place_has_too_much) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    Graph const graph(random_graph(seed, 200, 4, 12));
    Places const places = domains_of_places(4, 3);
    PhaseState state(graph, places, graph.now(), 10.0);
    double const before = sum_of(state);

    EXPECT_GT(sweep(state, no_cap), 0);
    EXPECT_LT(sum_of(state), before);
  }
}

TEST(Sweep, leaves_objects_that_may_not_move) {
  GraphColumns columns = divided_pairs();
  columns.is_fixed = {1, 1, 1, 1};
  Graph const graph(columns);
  Places const places = equal_places(2);
  PhaseState state(graph, places, graph.now(), no_cap_s);

  EXPECT_EQ(sweep(state, 0.0), 0);
}

}  // namespace
}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
// Goal: the longest place gets shorter until nothing helps, by moves and by exchanges. Method: by
// hand, and random graphs.
#include "makespan/graph/balancer/detail/worst_first.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "graph/small_graphs.hpp"
#include "makespan/graph/model/lower_bound.hpp"
#include "makespan/graph/model/phase_time.hpp"

namespace makespan::graph {
namespace {

constexpr double unlimited_s = 1e30;
constexpr std::int64_t enough = 1'000'000;

TEST(WorstFirst, divides_what_lies_on_one_place) {
  Graph const graph(silent(std::vector(64, 1e-3)));
  Places const places = places_of_speeds({1, 1, 2, 4});
  PhaseState state(graph, places, graph.now(), unlimited_s);

  shorten_worst_first(state, enough);

  EXPECT_DOUBLE_EQ(state.longest_s(), 8e-3);
}

TEST(WorstFirst, ends_where_the_longest_is_short_enough) {
  Graph const graph(silent(std::vector(64, 1e-3)));
  Places const places = places_of_speeds({1, 1, 2, 4});
  PhaseState state(graph, places, graph.now(), unlimited_s);

  shorten_worst_first(state, enough, 12.5e-3);

  EXPECT_LE(state.longest_s(), 12.5e-3);
  EXPECT_GT(state.longest_s(), 11e-3);
}

// 5 + 3 against 2 + 2: no single move helps, 3 against 2 does... to 7 and 5.
TEST(WorstFirst, exchanges_where_no_move_helps) {
  GraphColumns columns = silent({5, 3, 2, 2});
  columns.place = {0, 0, 1, 1};
  Graph const graph(columns);
  Places const places = equal_places(2);
  PhaseState state(graph, places, graph.now(), unlimited_s);

  shorten_worst_first(state, enough);

  EXPECT_DOUBLE_EQ(state.longest_s(), 7.0);
}

TEST(WorstFirst, never_makes_the_longest_longer) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    GraphColumns columns = random_graph(seed, 150, 6, 12);
    bool const is_uneven = seed % 2 == 1;
    // So that links are busy for about as long as places.
    for (double& bytes : columns.edge_bytes) bytes *= is_uneven ? 10.0 * (1 + seed % 5) : 1.0;
    Graph const graph(columns);
    Places const places = is_uneven ? uneven_places(seed, 6, 2) : domains_of_places(4, 3);
    PhaseState state(graph, places, graph.now(), 10.0);
    double before = state.longest_s();
    for (int round = 0; round < 5; ++round) {
      shorten_worst_first(state, 200);
      EXPECT_LE(state.longest_s(), before);
      before = state.longest_s();
    }
    PhaseState const anew(graph, places, state.mapping(), 10.0);
    EXPECT_NEAR(anew.longest_s(), state.longest_s(), 1e-12)
        << "kept times are those of the mapping";
  }
}

// 5 + 3 against 4 + 1: of each of the two exchanges that would help the first object hears of one
// on node 2, whose link is busy for 3 s, and would be for 4.5 s after the 4.2 s of a mean object:
// the way to node 0 is free, and that to node 1 is not. Only that first object talks with node 2.
TEST(WorstFirst, looks_at_the_links_of_all_whom_an_exchanged_object_talks_with) {
  GraphColumns columns = silent({5, 3, 4, 1, 6, 6});
  columns.place = {0, 0, 1, 1, 2, 3};
  columns.is_fixed = {0, 0, 0, 0, 1, 1};
  add_edge(columns, 4, 0, 1, 1.5);
  add_edge(columns, 4, 1, 1, 1.5);
  add_edge(columns, 4, 5, 1, 3);
  Graph const graph(columns);
  double const free = std::numeric_limits<double>::infinity();
  DomainCosts costs{.latency_s = std::vector(16, 0.0), .bandwidth_bytes_s = std::vector(16, free)};
  costs.bandwidth_bytes_s[2 * 4 + 1] = costs.bandwidth_bytes_s[2 * 4 + 3] = 1.0;
  Places const places({{.domain = 0}, {.domain = 1}, {.domain = 2}, {.domain = 3}},
                      {{0}, {1}, {2}, {3}}, costs);
  PhaseState state(graph, places, graph.now(), unlimited_s);
  ASSERT_DOUBLE_EQ(state.longest_s(), 8.0);

  shorten_worst_first(state, enough);

  EXPECT_DOUBLE_EQ(state.longest_s(), 8.0);
}

TEST(WorstFirst, comes_near_the_bound_where_objects_are_small) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    Graph const graph(random_graph(seed, 600, 0, 12));
    Places const places = places_of_speeds({1, 1, 1, 0.25, 1, 1, 2, 2, 4, 1, 1, 1});
    PhaseState state(graph, places, graph.now(), unlimited_s);

    shorten_worst_first(state, enough);

    EXPECT_LE(state.longest_s(), 1.02 * lower_bound(graph, places).value()) << seed;
  }
}

TEST(WorstFirst, has_nothing_to_do_on_one_place_or_for_nothing) {
  Graph const nothing(GraphColumns{});
  Places const two = equal_places(2);
  PhaseState empty(nothing, two, {}, unlimited_s);
  shorten_worst_first(empty, enough);
  EXPECT_EQ(empty.longest_s(), 0.0);

  Graph const graph(silent({1, 2}));
  Places const one = equal_places(1);
  PhaseState state(graph, one, graph.now(), unlimited_s);
  shorten_worst_first(state, enough);
  EXPECT_EQ(state.longest_s(), 3.0);
}

TEST(WorstFirst, leaves_objects_that_may_not_move) {
  GraphColumns columns = silent({1, 2, 3});
  columns.is_fixed = {1, 1, 0};
  Graph const graph(columns);
  Places const places = equal_places(3);
  PhaseState state(graph, places, graph.now(), unlimited_s);

  shorten_worst_first(state, enough);

  EXPECT_EQ(state.place_of(0), 0);
  EXPECT_EQ(state.place_of(1), 0);
  EXPECT_EQ(state.longest_s(), 3.0);
}

}  // namespace
}  // namespace makespan::graph

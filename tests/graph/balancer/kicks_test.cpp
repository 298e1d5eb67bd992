// SPDX-License-Identifier: Apache-2.0
// Goal: a search that has ended goes on to a shorter phase, the same each time, and touches nothing
// that may not move. Method: graphs whose best mapping is known.
#include "makespan/graph/balancer/detail/kicks.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "graph/small_graphs.hpp"
#include "makespan/graph/balancer/detail/worst_first.hpp"

namespace makespan::graph {
namespace {

constexpr double phases = 1e9;  // moves cost next to nothing

void improve(PhaseState& state) {
  shorten_worst_first(state, 10'000);
}

// On two places 14 each is possible: 9 + 5 and 8 + 6. Single moves and exchanges of the longest
// place's objects end at 15 from where they begin.
TEST(Kicks, find_what_single_steps_do_not) {
  GraphColumns columns = silent({9, 8, 6, 5, 4, 4, 3, 3, 2, 2, 2, 2, 2, 2, 1, 1});
  Graph const graph(columns);
  Places const places = equal_places(4);
  PhaseState stuck(graph, places, graph.now(), phases);
  improve(stuck);
  PhaseState state(graph, places, stuck.mapping(), phases);

  improve_by_kicks(state, phases, improve);

  EXPECT_LE(state.longest_s(), stuck.longest_s());
  EXPECT_NEAR(state.longest_s(), 14.0, 1e-3);
}

TEST(Kicks, bring_groups_together_that_single_steps_leave_apart) {
  // Four groups of four that say much to each other, two of each at either of two places. One
  // that goes alone makes more messages.
  GraphColumns columns = silent(std::vector<double>(16, 1e-3));
  for (int object = 0; object < 16; ++object) {
    columns.place[static_cast<std::size_t>(object)] = object % 2;
    for (int other = object / 4 * 4; other < object / 4 * 4 + 4; ++other) {
      if (other != object) add_edge(columns, object, other, 300, 0);
    }
  }
  Graph const graph(columns);
  Places const places = equal_places(2);
  PhaseState state(graph, places, graph.now(), phases);
  double const before_s = state.longest_s();

  improve_by_kicks(state, phases, improve);

  EXPECT_NEAR(state.longest_s(), 8e-3, 1e-6);  // nothing is said from place to place
  EXPECT_GT(before_s, 12e-3);
}

TEST(Kicks, repeat) {
  Graph const graph(random_graph(7, 40, 3, 4));
  Places const places = domains_of_places(2, 2);
  PhaseState first(graph, places, graph.now(), phases);
  PhaseState second(graph, places, graph.now(), phases);

  improve_by_kicks(first, phases, improve);
  improve_by_kicks(second, phases, improve);

  EXPECT_EQ(first.mapping(), second.mapping());
}

TEST(Kicks, leave_fixed_objects) {
  GraphColumns columns = random_graph(3, 40, 3, 4);
  columns.is_fixed.assign(40, 0);
  for (std::size_t object = 0; object < 40; object += 3) columns.is_fixed[object] = 1;
  Graph const graph(columns);
  Places const places = domains_of_places(2, 2);
  PhaseState state(graph, places, graph.now(), phases);

  improve_by_kicks(state, phases, improve);

  for (std::size_t object = 0; object < 40; object += 3) {
    EXPECT_EQ(state.mapping()[object], columns.place[object]);
  }
}

// Each round looks at all places: two thousand rounds for three objects took 24 s at 10,000.
TEST(Kicks, are_fewer_at_many_places) {
  GraphColumns columns = silent({1e-3, 1e-3, 1e-3});
  add_edge(columns, 0, 1, 300, 0);  // so that no mapping is as short as the bound
  Graph const graph(columns);
  auto const rounds_on = [&graph](int count) {
    Places const places = equal_places(count);
    PhaseState state(graph, places, graph.now(), phases);
    int rounds = 0;
    improve_by_kicks(state, phases, [&rounds](PhaseState& /*state*/) { ++rounds; });
    return rounds;
  };

  EXPECT_EQ(rounds_on(4), 2000);
  EXPECT_EQ(rounds_on(48), 2000);
  EXPECT_EQ(rounds_on(10'000), 9);
}

TEST(Kicks, do_nothing_where_nothing_may_move) {
  GraphColumns columns = silent({1, 1});
  columns.is_fixed = {1, 1};
  Graph const graph(columns);
  Places const places = equal_places(2);
  PhaseState state(graph, places, graph.now(), phases);

  improve_by_kicks(state, phases, improve);

  EXPECT_EQ(state.mapping(), columns.place);
}

}  // namespace
}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
// Goal: groups that talk most come near each other, into domains and nodes. Method: by hand.
#include "makespan/graph/partition/group_layout.hpp"

#include <gtest/gtest.h>

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

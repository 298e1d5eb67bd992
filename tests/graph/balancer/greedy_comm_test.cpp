// SPDX-License-Identifier: Apache-2.0
// Goal: the rule, on graphs small enough to do by hand. Method: golden mappings.
#include "makespan/graph/balancer/greedy_comm.hpp"

#include <gtest/gtest.h>

#include "graph/small_graphs.hpp"

namespace makespan::graph {
namespace {

Mapping greedy_comm(GraphColumns const& columns, OptionValues const& options) {
  return GreedyCommBalancer(options).map(Graph(columns), equal_places(2));
}

TEST(GreedyComm, is_greedy_where_nothing_is_said) {
  EXPECT_EQ(greedy_comm(silent({4, 3, 2}), {}), (Mapping{0, 1, 1}));
}

TEST(GreedyComm, weighs_messages_against_time_and_charges_both_ends) {
  // 4 to the first place. 3, with 2 messages to 4: 5 on the second place, 7 on the first; the first
  // is then 4 + 2, the second 5. 2, with 3 messages from 4: 5 + 2 + 3 on the second, 6 + 2 on the
  // first.
  GraphColumns columns = silent({4, 3, 2});
  add_edge(columns, 1, 0, 2, 0);
  add_edge(columns, 0, 2, 3, 0);

  EXPECT_EQ(greedy_comm(columns, {{"alpha_s", 1.0}}), (Mapping{0, 1, 0}));
}

TEST(GreedyComm, remembers_what_messages_cost_the_other_end) {
  // 4 to the first place. 3, with 2 messages to 4, to the second: 6 and 5. 1 goes to the second;
  // were the first still at 4, it would go there.
  GraphColumns columns = silent({4, 3, 1});
  add_edge(columns, 1, 0, 2, 0);

  EXPECT_EQ(greedy_comm(columns, {{"alpha_s", 1.0}}), (Mapping{0, 1, 1}));
}

TEST(GreedyComm, counts_bytes) {
  GraphColumns columns = silent({4, 3});
  add_edge(columns, 1, 0, 0, 10);

  EXPECT_EQ(greedy_comm(columns, {{"beta_s_byte", 0.3}}), (Mapping{0, 1}));
  EXPECT_EQ(greedy_comm(columns, {{"beta_s_byte", 0.5}}), (Mapping{0, 0}));
}

// An edge that costs nothing lists no place a second time, where its costs would count twice.
TEST(GreedyComm, charges_an_end_once_whatever_edges_cost) {
  // 4 to the first place. 3, with a message from 4, to the second: 5 and 4. 1.5 goes to the second,
  // then at 5.5, and 0.5 to the first; were the first at 6, it would go to the second, too.
  GraphColumns columns = silent({4, 3, 1.5, 0.5});
  add_edge(columns, 1, 0, 0, 8);
  add_edge(columns, 0, 1, 1, 0);

  EXPECT_EQ(greedy_comm(columns, {{"alpha_s", 1.0}, {"beta_s_byte", 0.0}}), (Mapping{0, 1, 1, 0}));
}

TEST(GreedyComm, knows_where_objects_are_that_may_not_move) {
  // 4 is on the second place for good. 3, with 8 messages to it, goes there too.
  GraphColumns columns = silent({4, 3});
  columns.place = {1, 0};
  columns.is_fixed = {1, 0};
  add_edge(columns, 1, 0, 8, 0);

  EXPECT_EQ(greedy_comm(columns, {{"alpha_s", 1.0}}), (Mapping{1, 1}));
}

}  // namespace
}  // namespace makespan::graph

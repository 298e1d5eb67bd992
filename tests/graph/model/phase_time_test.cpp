// SPDX-License-Identifier: Apache-2.0
// Goal: places pay for their objects and for the messages that come from elsewhere. Method: sums by
// hand.
#include "makespan/graph/model/phase_time.hpp"

#include <gtest/gtest.h>

#include "graph/small_graphs.hpp"
#include "makespan/base/contracts.hpp"

namespace makespan::graph {
namespace {

TEST(PhaseTimes, are_work_and_what_comes_from_elsewhere) {
  Places const places = domains_of_places(2, 2);
  GraphColumns columns = silent({1e-3, 2e-3, 3e-3});
  add_edge(columns, 0, 1, 10, 1000);  // place 0 to place 1, in one domain
  add_edge(columns, 0, 2, 10, 1000);  // place 0 to place 2, in the other
  add_edge(columns, 2, 0, 1, 0);
  Graph const graph(columns);

  PhaseTimes const times = phase_times(graph, places, Mapping{0, 1, 2});

  EXPECT_EQ(times.compute_s, (std::vector{1e-3, 2e-3, 3e-3, 0.0}));
  EXPECT_DOUBLE_EQ(times.receive_s[1], 10e-6 + 1e-6);
  EXPECT_DOUBLE_EQ(times.receive_s[2], 20e-6 + 2e-6);
  EXPECT_DOUBLE_EQ(times.receive_s[0], 2e-6);
  EXPECT_DOUBLE_EQ(times.longest_s(), 3e-3 + 22e-6);
}

TEST(PhaseTimes, have_no_messages_within_a_place) {
  GraphColumns columns = silent({1e-3, 2e-3});
  add_edge(columns, 0, 1, 10, 1000);
  Graph const graph(columns);

  EXPECT_EQ(phase_times(graph, equal_places(2), Mapping{1, 1}).longest_s(), 3e-3);
}

TEST(PhaseTimes, are_those_of_the_busiest_link_where_that_is_longer) {
  // Two nodes of two domains; 4 ns for a byte between them, 2 ns within one.
  GraphColumns columns = silent({1e-3, 1e-3, 1e-3});
  columns.place = {0, 2, 1};
  add_edge(columns, 0, 1, 1, 1e6);
  add_edge(columns, 2, 1, 1, 1e6);
  add_edge(columns, 0, 2, 1, 1e6);
  Graph const graph(columns);
  Places const places = domains_of_places(4, 1);

  PhaseTimes const times = phase_times(graph, places, graph.now());

  // 8 ms of bytes, after the first object of 1 ms.
  EXPECT_DOUBLE_EQ(times.longest_link_s, 9e-3);
  EXPECT_DOUBLE_EQ(times.longest_s(), 9e-3);
  EXPECT_DOUBLE_EQ(times.total_s(2), 1e-3 + 2 * 4e-6) << "the link takes the bytes";
  EXPECT_DOUBLE_EQ(times.total_s(1), 1e-3 + 2e-6 + 2e-3) << "a copy within the node";
}

// An object of 1 ms at speed 2 on kind 0, and of 4 ms on kind 1; the other takes nothing.
TEST(PhaseTimes, of_links_wait_for_a_mean_object) {
  GraphColumns columns = silent({});
  columns.kinds = 2;
  columns.work = {1e-3, 4e-3, 0.0, 0.0};
  columns.place = {0, 1};
  add_edge(columns, 0, 1, 1, 1e6);
  Graph const graph(columns);
  Places const places(
      {{.speed = Speed{2.0}}, {.kind = 1, .domain = 1}}, {{.node = 0}, {.node = 1}},
      {.latency_s = std::vector(4, 1e-6), .bandwidth_bytes_s = std::vector(4, 1e8)});

  double const mean_s = 2 / (2.0 / 0.5e-3 + 1.0 / 2e-3);
  EXPECT_DOUBLE_EQ(phase_times(graph, places, graph.now()).longest_link_s, 10e-3 + mean_s);
}

TEST(PhaseTimes, are_shorter_on_faster_places) {
  Graph const graph(silent({1e-3, 1e-3}));

  EXPECT_EQ(phase_times(graph, places_of_speeds({1, 4}), Mapping{0, 1}).compute_s,
            (std::vector{1e-3, 0.25e-3}));
}

TEST(MeanTime, is_weighted_by_speed) {
  EXPECT_DOUBLE_EQ(mean_time_s(places_of_speeds({1, 3}), std::vector{4.0, 0.0}), 1.0);
}

TEST(PhaseTimesContract, wants_a_place_for_each_object) {
  Graph const graph(silent({1.0}));

  EXPECT_THROW(static_cast<void>(phase_times(graph, equal_places(1), Mapping{})), ContractViolated);
  EXPECT_THROW(static_cast<void>(phase_times(graph, equal_places(1), Mapping{1})),
               ContractViolated);
}

}  // namespace
}  // namespace makespan::graph

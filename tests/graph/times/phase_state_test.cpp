// SPDX-License-Identifier: Apache-2.0
// Goal: times kept up move by move are those that are computed anew, and what a move is said to do
// is what it does. Method: random moves on random graphs.
#include "makespan/graph/times/phase_state.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <set>

#include "graph/small_graphs.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/graph/model/phase_time.hpp"

namespace makespan::graph {
namespace {

// So many phases that the way of an object costs nothing.
constexpr double many = 1e30;

double sum_of(std::span<double const> times) {
  return std::accumulate(times.begin(), times.end(), 0.0);
}

void expect_times_of(PhaseState const& state) {
  PhaseTimes const anew = phase_times(state.graph(), state.places(), state.mapping());
  for (int place = 0; place < state.places().count(); ++place) {
    ASSERT_NEAR(state.time_s(place), anew.total_s(static_cast<std::size_t>(place)), 1e-12);
  }
  ASSERT_NEAR(state.links().longest_s(), anew.longest_link_s, 1e-12);
  ASSERT_NEAR(state.longest_s(), anew.longest_s(), 1e-12);
}

// Of places and links.
double sum_of(PhaseState const& state) {
  return sum_of(state.times_s()) + sum_of(state.links().in_s()) + sum_of(state.links().out_s());
}

// Domains of a node that are equally far from other nodes, and such that are not.
class PhaseStateOfPlaces : public ::testing::TestWithParam<bool> {
 protected:
  bool const is_even = GetParam();
  Places const places = is_even ? domains_of_places(3, 2) : uneven_places(5, 3, 2);
};

INSTANTIATE_TEST_SUITE_P(Bandwidths, PhaseStateOfPlaces, ::testing::Bool());

// Links are busy about as long as places.
GraphColumns busy_links(std::uint64_t seed) {
  GraphColumns columns = random_graph(seed, 60, 5, 6);
  for (double& bytes : columns.edge_bytes) bytes *= 20.0;
  return columns;
}

TEST_P(PhaseStateOfPlaces, keeps_times_up) {
  Graph const graph(busy_links(1));
  PhaseState state(graph, places, graph.now(), many);
  std::mt19937_64 random{2};
  expect_times_of(state);
  for (int move = 0; move < 300; ++move) {
    state.look_at(static_cast<int>(random() % 60));
    state.move_to(static_cast<int>(random() % 6));
    expect_times_of(state);
  }
}

TEST_P(PhaseStateOfPlaces, says_what_a_move_does) {
  Graph const graph(busy_links(3));
  PhaseState state(graph, places, graph.now(), 7.0);
  std::mt19937_64 random{4};
  int shorter = 0;  // than the longest of all, which a move need not touch
  for (int move = 0; move < 300; ++move) {
    auto const object = static_cast<int>(random() % 60);
    int const place = (state.place_of(object) + 1 + static_cast<int>(random() % 5)) % 6;
    state.look_at(object);
    int const before = places[state.place_of(object)].domain;
    int const after = places[place].domain;
    bool const changes_links =
        places.node(before) != places.node(after) || (before != after && !is_even);
    // Where it was, where it goes, and where those are that it talks with.
    std::set<int> touched{state.place_of(object), place};
    for (Traffic const& in : graph.received(object)) touched.insert(state.place_of(in.other));
    for (Traffic const& out : graph.sent(object)) touched.insert(state.place_of(out.other));
    double const sum_before = sum_of(state);
    double const change = state.sum_change_s(place);
    double const longest = state.longest_touched_s(place, std::numeric_limits<double>::infinity());
    double const limit = longest * (random() % 2 == 0 ? 0.9 : 1.1);
    double const limited = state.longest_touched_s(place, limit);
    EXPECT_EQ(limited < limit, longest < limit);
    if (longest < limit) {
      EXPECT_EQ(limited, longest);
    }

    state.move_to(place);

    PhaseState const anew(graph, places, state.mapping(), 7.0);
    EXPECT_NEAR(sum_of(anew) - sum_before, change, 1e-12);
    double expected = 0.0;
    for (int const each : touched) {
      expected = std::max(expected, state.time_s(each));
      if (!changes_links) continue;
      expected = std::max(expected, state.links().node_s(places.node(places[each].domain)));
    }
    EXPECT_NEAR(longest, expected, 1e-12);
    shorter += expected < state.longest_s() - 1e-12 ? 1 : 0;
  }
  EXPECT_GT(shorter, 0);
}

TEST(PhaseState, charges_the_way_of_objects_to_where_they_went) {
  GraphColumns columns = silent({1e-3});
  columns.bytes = {1e6};
  Graph const graph(columns);
  Places const places = domains_of_places(2, 1);

  // 2 us and 2 ns a byte to the next domain, over 10 phases.
  PhaseState const moved(graph, places, Mapping{1}, 10.0);
  EXPECT_DOUBLE_EQ(moved.time_s(1), 1e-3 + (2e-6 + 2e-3) / 10);
  PhaseState state(graph, places, graph.now(), 10.0);
  EXPECT_DOUBLE_EQ(state.time_s(0), 1e-3);
  state.look_at(0);
  state.move_to(1);
  EXPECT_DOUBLE_EQ(state.time_s(1), moved.time_s(1));
}

TEST(PhaseState, knows_objects_whose_friends_are_with_them) {
  GraphColumns columns = silent({1, 1, 1});
  add_edge(columns, 0, 1, 1, 1);
  add_edge(columns, 2, 1, 1, 1);
  columns.place = {0, 0, 1};
  Graph const graph(columns);
  Places const places = equal_places(2);
  PhaseState state(graph, places, graph.now(), many);

  EXPECT_TRUE(state.is_inside(0));
  EXPECT_FALSE(state.is_inside(1));
  EXPECT_FALSE(state.is_inside(2));
  state.look_at(1);
  EXPECT_EQ(state.shares().size(), 2U);
}

TEST(PhaseState, has_a_mean_weighted_by_speed) {
  Graph const graph(silent({1, 4}));
  Places const places = places_of_speeds({1, 4});
  PhaseState const state(graph, places, Mapping{0, 1}, many);

  EXPECT_DOUBLE_EQ(state.mean_s(), 1.0);
  EXPECT_DOUBLE_EQ(state.longest_s(), 1.0);
}

TEST(PhaseStateContract, wants_a_positive_number_of_phases) {
  Graph const graph(silent({1}));
  Places const places = equal_places(1);

  EXPECT_THROW(PhaseState(graph, places, graph.now(), 0.0), ContractViolated);
}

}  // namespace
}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
// Goal: totals stay what messages and work come to, and so do guesses of what would be. Method:
// random moves beside the whole computation.
#include "makespan/graph/times/move_costs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "graph/small_graphs.hpp"

namespace makespan::graph {
namespace {

// By place.
std::vector<double> totals_of(Graph const& graph, Places const& places, Mapping const& mapping) {
  std::vector<double> totals(static_cast<std::size_t>(places.count()));
  for (int object = 0; object < graph.objects(); ++object) {
    int const place = mapping[static_cast<std::size_t>(object)];
    double& total = totals[static_cast<std::size_t>(place)];
    total += places.time_of(graph, object, place).value();
    for (Traffic const& in : graph.received(object)) {
      int const sender = mapping[static_cast<std::size_t>(in.other)];
      if (sender != place) {
        total += places.message_s(places[sender].domain, places[place].domain, in);
      }
    }
  }
  return totals;
}

void expect_totals(Graph const& graph, Places const& places, MoveCosts const& costs) {
  std::vector<double> const totals = totals_of(graph, places, costs.mapping());
  std::size_t movable = 0;
  for (int place = 0; place < places.count(); ++place) {
    EXPECT_NEAR(costs.total_s(place), totals[static_cast<std::size_t>(place)], 1e-12);
    for (std::int32_t const object : costs.movable(place)) {
      EXPECT_EQ(costs.mapping()[static_cast<std::size_t>(object)], place);
      EXPECT_TRUE(graph.may_move(object));
      ++movable;
    }
  }
  EXPECT_EQ(movable, 54U);  // 80 objects, every third of which is fixed
}

TEST(MoveCosts, are_those_of_work_and_messages) {
  std::mt19937_64 random{11};
  Places const places = domains_of_places(4, 2);
  for (unsigned seed = 0; seed < 5; ++seed) {
    GraphColumns columns = random_graph(seed, 80, 4, 8);
    columns.is_fixed.resize(80);
    for (std::size_t object = 0; object < 80; object += 3) columns.is_fixed[object] = 1;
    columns.is_fixed[0] = 0;
    Graph const graph(columns);
    MoveCosts costs(graph, places, graph.now());
    std::vector<double> longest(8);
    for (int step = 0; step < 60; ++step) {
      auto const object = static_cast<int>(random() % 80);
      if (!graph.may_move(object)) continue;
      costs.longest_if_moved(object, longest);
      for (int place = 0; place < 8; ++place) {
        Mapping mapping = costs.mapping();
        mapping[static_cast<std::size_t>(object)] = place;
        EXPECT_NEAR(longest[static_cast<std::size_t>(place)],
                    std::ranges::max(totals_of(graph, places, mapping)), 1e-12);
      }
      costs.move(object, static_cast<int>(random() % 8));
      expect_totals(graph, places, costs);
    }
  }
}

TEST(MoveCosts, know_what_an_object_costs) {
  GraphColumns columns = silent({1e-3, 2e-3});
  add_edge(columns, 0, 1, 1, 0);
  Graph const graph(columns);
  Places const places = domains_of_places(2, 1);
  MoveCosts costs(graph, places, graph.now());

  EXPECT_DOUBLE_EQ(costs.cost_s(1), 2e-3);
  costs.move(0, 1);
  EXPECT_DOUBLE_EQ(costs.cost_s(1), 2e-3 + 2e-6);
}

}  // namespace
}  // namespace makespan::graph

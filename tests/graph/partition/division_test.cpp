// SPDX-License-Identifier: Apache-2.0
// Goal: parts have the work that their places are good for, and what talks stays together, within
// nodes and domains too. Method: graphs whose best division is known.
#include "makespan/graph/partition/division.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "graph/benchmark_graphs.hpp"
#include "graph/small_graphs.hpp"
#include "makespan/graph/model/mapping_quality.hpp"
#include "makespan/graph/partition/detail/bisection.hpp"

namespace makespan::graph {
namespace {

// side × side equal objects that talk with their neighbours; numbers say nothing of where they are.
GraphColumns shuffled_square(int side) {
  std::vector<int> number(static_cast<std::size_t>(side * side));
  for (std::size_t i = 0; i < number.size(); ++i) {
    number[i] = static_cast<int>(i * 7919 % number.size());
  }
  GraphColumns columns = silent(std::vector(number.size(), 1.0));
  for (int i = 0; i < side * side; ++i) {
    for (int const step : {1, side}) {
      if ((step == 1 && i % side == side - 1) || i + step >= side * side) continue;
      int const a = number[static_cast<std::size_t>(i)];
      int const b = number[static_cast<std::size_t>(i + step)];
      add_edge(columns, a, b, 1, 1);
      add_edge(columns, b, a, 1, 1);
    }
  }
  return columns;
}

TEST(Division, cuts_a_square_about_as_short_as_can_be) {
  Graph const graph(shuffled_square(20));

  // The best: one straight cut, 40 messages; in four 80, in sixteen 240. All are 1520.
  auto const bytes = [&](int places) {
    Places const machine = equal_places(places);
    return quality_of(graph, machine, divide(graph, machine)).place_bytes;
  };
  EXPECT_LE(bytes(2), 1.5 * 40);
  EXPECT_LE(bytes(4), 1.5 * 80);
  EXPECT_LE(bytes(16), 1.4 * 240);
}

TEST(Division, gives_places_work_by_their_speed) {
  Graph const graph(random_graph(1, 2000, 3, 5));
  Places const places = places_of_speeds({1, 2, 0.5, 4, 1});

  EXPECT_LE(quality_of(graph, places, divide(graph, places)).imbalance, 1.06);
}

TEST(Division, keeps_what_talks_within_nodes_and_domains) {
  // Four rings of 16, one for each domain; two domains are a node, and their rings talk a little.
  GraphColumns columns = silent(std::vector(64, 1.0));
  for (int object = 0; object < 64; ++object) {
    int const ring = object / 16;
    add_edge(columns, object, ring * 16 + (object + 1) % 16, 10, 10);
    add_edge(columns, object, (object + 32) % 64, 1, 1);  // rings 0 and 2, 1 and 3
  }
  Graph const graph(columns);
  Places const places = domains_of_places(4, 4);

  MappingQuality const quality = quality_of(graph, places, divide(graph, places));

  EXPECT_EQ(quality.node_bytes, 0.0);
  EXPECT_EQ(quality.domain_bytes, 64.0);
  EXPECT_EQ(quality.imbalance, 1.0);
}

TEST(Division, builds_on_objects_that_may_not_move) {
  Graph const graph(leanmd({4, 4, 3}, 8));
  Places const places = domains_of_places(4, 2);

  Mapping const mapping = divide(graph, places);

  for (int object = 0; object < graph.objects(); ++object) {
    if (graph.may_move(object)) continue;
    EXPECT_EQ(mapping[static_cast<std::size_t>(object)],
              graph.now()[static_cast<std::size_t>(object)]);
  }
  EXPECT_LE(quality_of(graph, places, mapping).imbalance, 1.1);
}

TEST(Division, divides_objects_that_say_nothing) {
  Graph const graph(silent(std::vector(100, 1.0)));
  Places const places = equal_places(7);

  EXPECT_LE(quality_of(graph, places, divide(graph, places)).imbalance, 1.06);
}

TEST(Bisection, sorts_the_first_part_first_in_the_order_that_was) {
  Graph const graph(silent({1, 1, 1, 1}));
  Places const places = equal_places(2);
  std::vector<std::int32_t> objects{2, 0, 3, 1};

  std::size_t const count = Bisection(graph, places).split(objects, std::vector{0}, 0.5);

  EXPECT_EQ(count, 2U);
  auto const order = std::vector<std::int32_t>{2, 0, 3, 1};
  auto const was_before = [&](std::int32_t a, std::int32_t b) {
    return std::ranges::find(order, a) < std::ranges::find(order, b);
  };
  EXPECT_TRUE(was_before(objects[0], objects[1]));
  EXPECT_TRUE(was_before(objects[2], objects[3]));
}

}  // namespace
}  // namespace makespan::graph

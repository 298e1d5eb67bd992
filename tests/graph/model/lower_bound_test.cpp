// SPDX-License-Identifier: Apache-2.0
// Goal: the bound is below every mapping, and tight where the answer is known. Method: by hand, and
// all mappings of small random graphs.
#include "makespan/graph/model/lower_bound.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "graph/small_graphs.hpp"
#include "makespan/graph/model/phase_time.hpp"

namespace makespan::graph {
namespace {

TEST(LowerBound, is_all_work_over_all_speeds) {
  EXPECT_DOUBLE_EQ(lower_bound(Graph(silent({1, 2, 3, 4})), places_of_speeds({1, 4})).value(), 2.0);
}

TEST(LowerBound, is_the_largest_object_where_it_is_fastest) {
  EXPECT_DOUBLE_EQ(lower_bound(Graph(silent({1, 8, 1})), places_of_speeds({1, 4})).value(), 2.0);
}

TEST(LowerBound, knows_that_fixed_objects_stay_where_they_are_slow) {
  GraphColumns columns = silent({8, 1});
  columns.is_fixed = {1, 0};

  EXPECT_DOUBLE_EQ(lower_bound(Graph(columns), places_of_speeds({1, 4})).value(), 8.0);
}

// 100 objects that a GPU computes ten times as fast, and 100 that it does not.
TEST(LowerBound, is_near_the_best_where_kinds_differ) {
  GraphColumns columns = silent({});
  columns.kinds = 2;
  for (int i = 0; i < 100; ++i) columns.work.insert(columns.work.end(), {1.0, 0.1, 1.0, 1.0});
  columns.place.resize(200);
  Places const places({{}, {.kind = 1}}, {Domain{}}, {.latency_s = {0}, .bandwidth_bytes_s = {1}});

  // Best: the GPU takes the hundred (10 s) and shares the other hundred: (100 + 10) / 2.
  double const bound = lower_bound(Graph(columns), places).value();

  EXPECT_LE(bound, 55.0 + 1e-9);
  EXPECT_GE(bound, 0.98 * 55.0);
}

double best_of_all(Graph const& graph, Places const& places) {
  double best = std::numeric_limits<double>::infinity();
  auto const all = static_cast<int>(std::pow(places.count(), graph.objects()));
  for (int number = 0; number < all; ++number) {
    Mapping mapping;
    for (int rest = number; std::ssize(mapping) < graph.objects(); rest /= places.count()) {
      mapping.push_back(rest % places.count());
    }
    best = std::min(best, phase_times(graph, places, mapping).longest_s());
  }
  return best;
}

TEST(LowerBound, is_below_every_mapping) {
  Places const places({{.speed = Speed{3}}, {}, {.kind = 1, .speed = Speed{2}}}, {Domain{}},
                      {.latency_s = {1e-6}, .bandwidth_bytes_s = {1e9}});
  for (unsigned seed = 0; seed < 30; ++seed) {
    std::mt19937_64 random{seed};
    GraphColumns columns = silent({});
    columns.kinds = 2;
    columns.place.resize(6);
    for (int i = 0; i < 12; ++i) {
      columns.work.push_back(std::uniform_real_distribution{0.1, 2.0}(random));
    }
    Graph const graph(columns);
    double const best = best_of_all(graph, places);

    EXPECT_LE(lower_bound(graph, places).value(), best * (1 + 1e-12)) << seed;
    EXPECT_GE(lower_bound(graph, places).value(), 0.5 * best) << seed;
  }
}

TEST(LowerBound, of_nothing_is_nothing) {
  EXPECT_EQ(lower_bound(Graph(GraphColumns{}), equal_places(3)), Seconds{});
  EXPECT_EQ(lower_bound(Graph(silent({0, 0})), equal_places(3)), Seconds{});
}

}  // namespace
}  // namespace makespan::graph

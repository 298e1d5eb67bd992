// SPDX-License-Identifier: Apache-2.0
// Goal: the rule, on graphs small enough to do by hand, and its bound. Method: golden mappings;
// random graphs.
#include "makespan/graph/balancer/greedy.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "graph/small_graphs.hpp"
#include "makespan/graph/model/lower_bound.hpp"
#include "makespan/graph/model/phase_time.hpp"

namespace makespan::graph {
namespace {

Mapping greedy(GraphColumns const& columns, Places const& places) {
  return GreedyBalancer({}).map(Graph(columns), places);
}

TEST(Greedy, gives_the_heaviest_to_the_least_loaded) {
  // 7 to 0, 6 to 1, 5 to 2, 4 to 2 (9), 3 to 1 (9), 2 to 0 (9), 1 to 0.
  EXPECT_EQ(greedy(silent({1, 2, 3, 4, 5, 6, 7}), equal_places(3)), (Mapping{0, 0, 1, 2, 2, 1, 0}));
}

TEST(Greedy, gives_fast_places_more) {
  // On 1 and 4: 8 to the second (2), 4 to the second (3), 2 to the first (2), 1 to the first (3).
  EXPECT_EQ(greedy(silent({1, 2, 4, 8}), places_of_speeds({1, 4})), (Mapping{0, 0, 1, 1}));
}

TEST(Greedy, begins_with_objects_that_may_not_move) {
  GraphColumns columns = silent({9, 1, 1});
  columns.is_fixed = {1, 0, 0};
  columns.place = {1, 1, 1};

  EXPECT_EQ(greedy(columns, equal_places(2)), (Mapping{1, 0, 0}));
}

TEST(Greedy, keeps_its_bound) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    for (int const places : {1, 2, 3, 5, 16}) {
      Graph const graph(random_graph(seed, 40, 0, places));
      Places const machine = equal_places(places);
      Mapping const mapping = GreedyBalancer({}).map(graph, machine);
      double const factor = 4.0 / 3.0 - 1.0 / (3.0 * places);

      // The best is not known; it is no less than the bound, and no less than two of the places + 1
      // heaviest, since two of these share a place.
      std::vector<double> work;
      for (int object = 0; object < graph.objects(); ++object) {
        work.push_back(graph.work(object, 0).value());
      }
      std::ranges::sort(work, std::greater<>());
      auto const p = static_cast<std::size_t>(places);
      double const best = std::max(lower_bound(graph, machine).value(), work[p - 1] + work[p]);
      EXPECT_LE(phase_times(graph, machine, mapping).longest_s(), factor * best * (1 + 1e-12));
    }
  }
}

}  // namespace
}  // namespace makespan::graph

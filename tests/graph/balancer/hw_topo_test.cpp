// SPDX-License-Identifier: Apache-2.0
// Goal: draws follow the law; the published rules and the mended ones. Method: by hand; random
// graphs.
#include "makespan/graph/balancer/hw_topo.hpp"

#include <gtest/gtest.h>

#include "graph/small_graphs.hpp"

#include "makespan/graph/model/phase_time.hpp"

namespace makespan::graph {
namespace {

TEST(GibbsLaw, draws_by_the_exponential) {
  // Weights 1, 1 and 1/e: ends at 0.422 and 0.845 of the sum.
  std::vector<double> const longest{1, 1, 2};

  EXPECT_EQ(gibbs_drawn(longest, 1.0, 0.42), 0);
  EXPECT_EQ(gibbs_drawn(longest, 1.0, 0.43), 1);
  EXPECT_EQ(gibbs_drawn(longest, 1.0, 0.84), 1);
  EXPECT_EQ(gibbs_drawn(longest, 1.0, 0.85), 2);
}

TEST(GibbsLaw, takes_the_best_when_cold) {
  EXPECT_EQ(gibbs_drawn(std::vector<double>{2, 1, 1}, 0.0, 0.99), 1);
}

Mapping hw_topo(GraphColumns const& columns, Places const& places, OptionValues const& options) {
  return HwTopoBalancer(options).map(Graph(columns), places);
}

TEST(HwTopo, ends_when_an_object_stays_if_faithful) {
  // Cold, as far as doubling allows: of two at the first place the first goes; then the second
  // stays.
  OptionValues const cold{{"faithful", 1.0}, {"alpha", 1.0}, {"beta", 1.0}, {"temperature", 0.0}};

  EXPECT_EQ(hw_topo(silent({1, 1}), equal_places(2), cold), (Mapping{1, 0}));
}

TEST(HwTopo, never_draws_the_last_place_if_faithful) {
  GraphColumns columns = silent({1, 1, 1});
  columns.place = {1, 1, 1};
  OptionValues any{{"faithful", 1.0}, {"alpha", 0.0}, {"temperature", 0.0}};

  EXPECT_EQ(hw_topo(columns, equal_places(2), any), columns.place);
  any["faithful"] = 0.0;
  EXPECT_NE(hw_topo(columns, equal_places(2), any), columns.place);
}

TEST(HwTopo, makes_nothing_worse) {
  Places const places = domains_of_places(4, 2);
  for (unsigned seed = 0; seed < 20; ++seed) {
    Graph const graph(random_graph(seed, 100, 4, 8));
    Mapping const mapping = hw_topo(random_graph(seed, 100, 4, 8), places, {});

    EXPECT_LE(phase_times(graph, places, mapping).longest_s(),
              phase_times(graph, places, graph.now()).longest_s() * (1 + 1e-12));
  }
}

TEST(HwTopo, spreads_what_lies_on_half_of_the_places) {
  Places const places = domains_of_places(4, 2);
  for (unsigned seed = 0; seed < 20; ++seed) {
    GraphColumns const columns = random_graph(seed, 100, 4, 4);  // at 0 to 3 of 8
    Graph const graph(columns);

    EXPECT_LE(phase_times(graph, places, hw_topo(columns, places, {})).longest_s(),
              0.7 * phase_times(graph, places, graph.now()).longest_s());
  }
}

}  // namespace
}  // namespace makespan::graph

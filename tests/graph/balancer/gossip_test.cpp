// SPDX-License-Identifier: Apache-2.0
// Goal: late places give to places that they heard of, and nothing gets worse. Method: by hand;
// random graphs.
#include "makespan/graph/balancer/gossip.hpp"

#include <gtest/gtest.h>

#include "graph/small_graphs.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "makespan/graph/balancer/decision_in_process.hpp"
#include "makespan/graph/model/phase_time.hpp"

namespace makespan::graph {
namespace {

Mapping gossip(GraphColumns const& columns, Places const& places,
               OptionValues const& options = {}) {
  return GossipBalancer(options).map(Graph(columns), places);
}

double longest_compute_s(Graph const& graph, Places const& places, Mapping const& mapping) {
  return std::ranges::max(phase_times(graph, places, mapping).compute_s);
}

TEST(Gossip, gives_away_until_it_is_early_enough) {
  EXPECT_EQ(gossip(silent({1, 1, 1, 1}), equal_places(2)), (Mapping{1, 1, 0, 0}));
}

TEST(Gossip, gives_fast_places_more) {
  EXPECT_EQ(gossip(silent({1, 1, 1, 1}), places_of_speeds({1, 3})), (Mapping{1, 1, 1, 0}));
}

TEST(Gossip, gives_to_no_place_that_it_has_not_heard_of) {
  EXPECT_EQ(gossip(silent({1, 1, 1, 1}), equal_places(2), {{"rounds", 0.0}}),
            (Mapping{0, 0, 0, 0}));
}

TEST(Gossip, gives_nothing_that_does_not_fit) {
  // Mean 2: neither 3 nor the whole of it.
  EXPECT_EQ(gossip(silent({3, 1}), equal_places(2), {{"threshold", 1.6}}), (Mapping{1, 0}));
  EXPECT_EQ(gossip(silent({4}), equal_places(2)), (Mapping{0}));
}

// The mean is 0.6: no object stays below it anywhere.
TEST(Gossip, gives_objects_that_take_longer_than_the_mean) {
  Graph const graph(silent({1, 1, 1, 1, 1, 1}));
  Places const places = equal_places(10);

  EXPECT_EQ(longest_compute_s(graph, places, GossipBalancer({}).map(graph, places)), 1.0);
}

// A place that has filled all that it knew of hears of others in the next iteration.
TEST(Gossip, goes_on_in_later_iterations) {
  Graph const graph(silent(std::vector<double>(640, 1.0)));
  Places const places = equal_places(64);
  auto const after = [&](double iterations) {
    GossipBalancer const balancer({{"fanout", 1.0}, {"rounds", 2.0}, {"iterations", iterations}});
    return longest_compute_s(graph, places, balancer.map(graph, places));
  };

  EXPECT_LT(after(8.0), 0.9 * after(1.0));
}

// All that a slow place has goes: what rounding leaves of its time is not negative.
TEST(Gossip, tells_no_negative_times) {
  Places const places = places_of_speeds({0.02, 1, 1, 1});
  for (unsigned seed = 0; seed < 50; ++seed) {
    GraphColumns columns = random_graph(seed, 6, 0, 4);
    columns.place.assign(6, 0);
    Graph const graph(columns);
    auto const shared = std::make_shared<Places const>(places);
    GossipBalancer const balancer({});
    auto known = known_objects(graph, places);
    std::vector<std::unique_ptr<PlaceDecision>> all;
    for (std::size_t place = 0; place < known.size(); ++place) {
      all.push_back(balancer.at_place(
          {.place = static_cast<int>(place), .places = shared, .own = std::move(known[place])}));
    }
    for (DecisionOutcome const& outcome : decide_in_process(all, balancer.steps())) {
      EXPECT_GE(outcome.new_s, 0.0);
    }
  }
}

TEST(Gossip, makes_nothing_worse_and_most_things_better) {
  Places const places = places_of_speeds({1, 1, 1, 2, 0.5, 1, 1, 1});
  for (unsigned seed = 0; seed < 20; ++seed) {
    Graph const graph(random_graph(seed, 400, 0, 8));
    EXPECT_LT(longest_compute_s(graph, places, gossip(random_graph(seed, 400, 0, 8), places)),
              longest_compute_s(graph, places, graph.now()));
  }
}

}  // namespace
}  // namespace makespan::graph

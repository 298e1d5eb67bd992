// SPDX-License-Identifier: Apache-2.0
// Goal: places come up by their share, and seeds matter. Method: counts.
#include "makespan/graph/balancer/random_place.hpp"

#include <gtest/gtest.h>

#include "graph/small_graphs.hpp"

#include <algorithm>

namespace makespan::graph {
namespace {

Mapping random_mapping(double seed) {
  Graph const graph(silent(std::vector<double>(10'000, 1.0)));
  return RandomPlaceBalancer({{"seed", seed}}).map(graph, places_of_speeds({1, 3}));
}

TEST(RandomPlace, draws_places_by_their_share) {
  // Five standard deviations of a binomial count.
  EXPECT_NEAR(static_cast<double>(std::ranges::count(random_mapping(1), 0)), 2500, 5 * 44);
}

TEST(RandomPlace, draws_others_with_another_seed) {
  EXPECT_EQ(random_mapping(1), random_mapping(1));
  EXPECT_NE(random_mapping(1), random_mapping(2));
}

}  // namespace
}  // namespace makespan::graph

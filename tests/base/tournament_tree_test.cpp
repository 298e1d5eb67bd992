// SPDX-License-Identifier: Apache-2.0
// Goal: the top is what a scan finds, after any changes. Method: random changes of few different
// keys against a scan, for every number of things up to 40.
#include "makespan/base/tournament_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace makespan {
namespace {

TEST(TournamentTree, has_the_first_of_the_least_keys_on_top) {
  std::mt19937_64 random{5};
  for (std::size_t things = 1; things <= 40; ++things) {
    TournamentTree tree(things);
    std::vector<double> expected(things);
    EXPECT_EQ(tree.top(), 0);
    for (int change = 0; change < 500; ++change) {
      std::size_t const thing = random() % things;
      auto const key = 0.5 * static_cast<double>(random() % 8) - 1.5;
      tree.set(static_cast<int>(thing), key);
      expected[thing] = key;

      auto const least = std::ranges::min_element(expected) - expected.begin();
      ASSERT_EQ(tree.top(), least) << things << " things";
      ASSERT_EQ(tree.key(tree.top()), expected[static_cast<std::size_t>(least)]);
    }
  }
}

TEST(TournamentTree, knows_keys_that_are_infinite) {
  TournamentTree tree(3);
  double const infinite = std::numeric_limits<double>::infinity();
  for (int thing = 0; thing < 3; ++thing) tree.set(thing, infinite);

  EXPECT_EQ(tree.top(), 0);
  tree.set(2, 1e300);
  EXPECT_EQ(tree.top(), 2);
}

}  // namespace
}  // namespace makespan

// SPDX-License-Identifier: Apache-2.0
// Goal: levels are distances from the root, and what is no tree is told apart. Method: small trees,
// and each way to break one; a path of a million, which recursion would not survive.
#include "makespan/apps/graph500/detail/tree_levels.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace makespan::graph500 {
namespace {

using Levels = std::vector<std::int32_t>;

TEST(TreeLevelsTest, are_distances) {
  std::vector<Vertex> const parents{2, 2, 2, no_vertex, 0, 4};
  EXPECT_EQ(tree_levels(parents, 2), (Levels{1, 1, 0, not_reached, 2, 3}));
}

TEST(TreeLevelsTest, tells_cycles) {
  std::vector<Vertex> const parents{0, 2, 1, 2, 4};
  EXPECT_EQ(tree_levels(parents, 0), (Levels{0, in_a_cycle, in_a_cycle, in_a_cycle, in_a_cycle}));
}

TEST(TreeLevelsTest, tells_parents_that_are_not_reached_or_not_there) {
  std::vector<Vertex> const parents{0, 2, no_vertex, 1, 77, 4};
  EXPECT_EQ(tree_levels(parents, 0),
            (Levels{0, leads_nowhere, not_reached, leads_nowhere, leads_nowhere, leads_nowhere}));
}

TEST(TreeLevelsTest, knows_no_root_that_is_not_its_own_parent) {
  std::vector<Vertex> const parents{1, 0};
  EXPECT_EQ(tree_levels(parents, 0), (Levels{in_a_cycle, in_a_cycle}));
}

TEST(TreeLevelsTest, takes_long_paths) {
  std::vector<Vertex> parents(1'000'000);
  for (std::size_t vertex = 0; vertex + 1 < parents.size(); ++vertex) {
    parents[vertex] = static_cast<Vertex>(vertex + 1);
  }
  auto const root = static_cast<Vertex>(parents.size() - 1);
  parents[root] = root;
  EXPECT_EQ(tree_levels(parents, root).front(), 999'999);
}

}  // namespace
}  // namespace makespan::graph500

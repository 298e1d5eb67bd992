// SPDX-License-Identifier: Apache-2.0
// Goal: counts are those of the tree for any number of threads and images, however it is divided,
// and work is shared. Method: small trees counted here, and published ones.
#include "makespan/apps/uts/tree_search.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "makespan/base/error.hpp"

namespace makespan::uts {
namespace {

constexpr int search_threads = 2;

class TreeSearchTest : public testing::Test {
 protected:
  void TearDown() override { runtime.finish_all(); }

  [[nodiscard]] SearchResult search(Tree const& tree, Division division, int chunk = 20) {
    return search_all(runtime, tree,
                      {.threads = search_threads, .division = division, .chunk = chunk});
  }

  pgas::Runtime runtime{pgas::RuntimeOptions{.threads = search_threads}};
};

TEST_F(TreeSearchTest, counts_the_published_trees) {
  for (char const* const name : {"T1", "T3"}) {
    KnownTree const& known = known_tree(name);

    SearchResult const found = search(Tree(known.settings), Division::steal);

    EXPECT_EQ(found.nodes, known.nodes) << name;
    EXPECT_EQ(found.leaves, known.leaves) << name;
    EXPECT_EQ(found.depth, known.depth) << name;
    // At first all is at one thread.
    EXPECT_GT(found.steals, 0) << name;
    EXPECT_LT(found.nodes_longest, known.nodes) << name;
  }
}

TEST_F(TreeSearchTest, counts_the_same_where_nothing_is_stolen) {
  KnownTree const& known = known_tree("T1");

  SearchResult const found = search(Tree(known.settings), Division::fixed);

  EXPECT_EQ(found.nodes, known.nodes);
  EXPECT_EQ(found.leaves, known.leaves);
  EXPECT_EQ(found.depth, known.depth);
  EXPECT_EQ(found.steals, 0);
}

TEST_F(TreeSearchTest, counts_small_trees_whatever_the_chunk) {
  for (int seed = 0; seed < 8; ++seed) {
    Tree const tree({.branching = 3.0, .seed = seed, .shape = TreeShape::linear, .depth = 6});
    SearchResult const fixed = search(tree, Division::fixed);
    for (int const chunk : {1, 3, 1000}) {
      SearchResult const found = search(tree, Division::steal, chunk);
      EXPECT_EQ(found.nodes, fixed.nodes) << seed << " " << chunk;
      EXPECT_EQ(found.leaves, fixed.leaves) << seed << " " << chunk;
      EXPECT_EQ(found.depth, fixed.depth) << seed << " " << chunk;
    }
  }
}

TEST_F(TreeSearchTest, counts_a_root_alone) {
  Tree const alone({.branching = 0.0});

  SearchResult const found = search(alone, Division::steal);

  EXPECT_EQ(found.nodes, 1);
  EXPECT_EQ(found.leaves, 1);
  EXPECT_EQ(found.depth, 0);
}

TEST_F(TreeSearchTest, refuses_options_that_are_none) {
  Tree const tree({});

  EXPECT_THROW(static_cast<void>(search_all(runtime, tree, {.threads = 0})), InputError);
  EXPECT_THROW(static_cast<void>(search_all(runtime, tree, {.threads = 1, .chunk = 0})),
               InputError);
  EXPECT_THROW(static_cast<void>(search_all(runtime, tree, {.threads = 1, .chunk = 9999})),
               InputError);
  EXPECT_THROW(static_cast<void>(search_all(runtime, tree, {.threads = search_threads + 1})),
               InputError);
}

}  // namespace
}  // namespace makespan::uts

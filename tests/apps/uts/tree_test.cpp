// SPDX-License-Identifier: Apache-2.0
// Goal: trees are those of UTS, node by node. Method: sizes that its distribution prints for its
// sample trees, counted here by one thread; the tree with 10^8 nodes by `make bench-runtime` alone.
#include "makespan/apps/uts/tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "makespan/base/error.hpp"

namespace makespan::uts {
namespace {

struct Counted {
  std::int64_t nodes{0};
  std::int64_t leaves{0};
  int depth{0};
};

Counted count(Tree const& tree) {
  Counted counted;
  std::vector<Node> nodes{tree.root()};
  while (!nodes.empty()) {
    Node const node = nodes.back();
    nodes.pop_back();
    ++counted.nodes;
    counted.depth = std::max(counted.depth, static_cast<int>(node.depth));
    int const children = tree.children(node);
    if (children == 0) ++counted.leaves;
    for (int child = 0; child < children; ++child) nodes.push_back(Tree::child(node, child));
  }
  return counted;
}

class SampleTree : public testing::TestWithParam<std::string> {};

TEST_P(SampleTree, has_the_published_size) {
  KnownTree const& known = known_tree(GetParam());

  Counted const counted = count(Tree(known.settings));

  EXPECT_EQ(counted.nodes, known.nodes);
  EXPECT_EQ(counted.leaves, known.leaves);
  EXPECT_EQ(counted.depth, known.depth);
}

INSTANTIATE_TEST_SUITE_P(Uts, SampleTree, testing::Values("T1", "T5", "T2", "T3"));

TEST(Tree, of_an_exponential_shape_gets_thinner_with_depth) {
  std::int64_t nodes = 0;
  for (int seed = 0; seed < 20; ++seed) {
    Counted const counted =
        count(Tree({.branching = 3.0, .seed = seed, .shape = TreeShape::exponential, .depth = 10}));
    nodes += counted.nodes;
    EXPECT_LT(counted.nodes, 1'000'000) << seed;
  }
  EXPECT_GT(nodes, 100);
}

TEST(Tree, refuses_settings_that_are_none) {
  auto const refused = [](TreeSettings const& settings) -> std::string {
    try {
      static_cast<void>(Tree(settings));
    } catch (InputError const& error) {
      return error.what();
    }
    return "accepted";
  };

  EXPECT_NE(refused({.branching = -1.0}).find("branching -1"), std::string::npos);
  EXPECT_NE(refused({.depth = 0}).find("depth 0"), std::string::npos);
  TreeSettings exponential{.branching = 1.0, .shape = TreeShape::exponential, .depth = 2};
  EXPECT_EQ(refused(exponential), "accepted");
  exponential.depth = 1;
  EXPECT_NE(refused(exponential).find("depth 1"), std::string::npos);
  exponential = {.branching = 0.5, .shape = TreeShape::exponential, .depth = 2};
  EXPECT_NE(refused(exponential).find("branching 0.5"), std::string::npos);
  TreeSettings binomial{.kind = TreeKind::binomial, .probability = 0.2, .children = 5};
  EXPECT_EQ(refused(binomial), "accepted");
  binomial.children = 6;
  EXPECT_NE(refused(binomial).find("infinite"), std::string::npos);
  binomial.probability = 1.5;
  EXPECT_NE(refused(binomial).find("probability 1.5"), std::string::npos);
  EXPECT_THROW(static_cast<void>(known_tree("T9")), InputError);
}

}  // namespace
}  // namespace makespan::uts

// SPDX-License-Identifier: Apache-2.0
// Goal: each check finds what it is for, and right trees pass. Method: a small graph, the tree of
// which is broken in one way after the other; expected counts are by hand.
#include "makespan/apps/graph500/validate.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graph500_fixture.hpp"
#include "makespan/apps/graph500/breadth_first_search.hpp"

namespace makespan::graph500 {
namespace {

constexpr std::int64_t tree_vertices = 200;

// From 0: 1 and 2; then 70 and 71; then 140, with a loop. 1-70 is there twice. 160-161 is another
// component. Vertices are far apart, so that several images have some.
std::vector<Edge> const small_graph{{0, 1},    {2, 0},    {1, 2},  {1, 70},    {71, 2},
                                    {70, 140}, {140, 71}, {70, 1}, {140, 140}, {160, 161}};

class ValidateTest : public Graph500Test {
 protected:
  void SetUp() override {
    for (auto const& [vertex, parent] :
         std::vector<Edge>{{0, 0}, {1, 0}, {2, 0}, {70, 1}, {71, 2}, {140, 70}}) {
      parents[vertex] = parent;
    }
  }

  Validation validated(Vertex root = 0) {
    ThreadPool pool(runtime, 2);
    VertexBlocks const blocks(tree_vertices, runtime.images());
    auto const shared = runtime.allocate_all<Vertex>(blocks.block(), "parents to check");
    std::span<Vertex> const mine = runtime.local(shared);
    for (std::int64_t own = 0; own < blocks.count(runtime.image().value()); ++own) {
      mine[static_cast<std::size_t>(own)] =
          parents[static_cast<std::size_t>(blocks.first(runtime.image().value()) + own)];
    }
    Validation const validation = validate_all(pool, blocks, dealt(small_graph), shared, root);
    runtime.free_all(shared);
    return validation;
  }

  std::vector<Vertex> parents = std::vector<Vertex>(tree_vertices, no_vertex);
};

using Broken = std::array<std::int64_t, tree_checks>;

TEST_F(ValidateTest, passes_a_tree) {
  Validation const found = validated();
  EXPECT_TRUE(found.is_valid());
  EXPECT_EQ(found.edges, 9) << "with the loop and the double";
}

TEST_F(ValidateTest, passes_another_tree_of_the_same_levels) {
  parents[140] = 71;
  EXPECT_TRUE(validated().is_valid());
}

TEST_F(ValidateTest, finds_a_cycle) {
  parents[70] = 140;
  Validation const found = validated();
  EXPECT_EQ(found.broken_by(TreeCheck::has_no_cycle), 2);
  EXPECT_FALSE(found.is_valid());
}

TEST_F(ValidateTest, finds_a_vertex_that_is_its_own_parent) {
  parents[140] = 140;
  EXPECT_EQ(validated().broken_by(TreeCheck::has_no_cycle), 1);
}

TEST_F(ValidateTest, finds_a_root_that_is_not_its_own_parent) {
  parents[0] = no_vertex;
  EXPECT_EQ(validated().broken_by(TreeCheck::has_no_cycle), 1);
  parents[0] = 1;
  // It is in a circle with 1, on which all others hang.
  EXPECT_EQ(validated().broken_by(TreeCheck::has_no_cycle), 7);
}

TEST_F(ValidateTest, finds_a_tree_edge_to_a_vertex_without_level) {
  parents[140] = 160;
  EXPECT_EQ(validated().broken_by(TreeCheck::tree_edges_one_level), 1);
  parents[140] = 5'000;
  EXPECT_EQ(validated().broken_by(TreeCheck::tree_edges_one_level), 1);
}

TEST_F(ValidateTest, finds_an_edge_over_two_levels) {
  parents[2] = 1;
  EXPECT_EQ(validated().broken, (Broken{0, 0, 1, 0, 0}));
}

TEST_F(ValidateTest, finds_a_vertex_that_was_left_out) {
  parents[140] = no_vertex;
  EXPECT_EQ(validated().broken, (Broken{0, 0, 2, 2, 0}));
}

TEST_F(ValidateTest, finds_a_parent_that_is_no_neighbour) {
  parents[71] = 1;
  EXPECT_EQ(validated().broken, (Broken{0, 0, 0, 0, 1}));
}

TEST_F(ValidateTest, finds_that_it_is_the_tree_of_another_root) {
  EXPECT_FALSE(validated(160).is_valid());
}

TEST_F(ValidateTest, finds_that_the_graph_lacks_an_edge) {
  ThreadPool pool(runtime, 1);
  // Without 71-2, 71 is two levels further down.
  std::vector<Edge> less = small_graph;
  less.erase(less.begin() + 4);
  DistributedGraph const graph(pool, tree_vertices, dealt(less));
  BreadthFirstSearch search(pool, graph);
  search.run_all(0);
  EXPECT_TRUE(
      validate_all(pool, graph.blocks(), dealt(less), search.shared_parents(), 0).is_valid());
  Validation const found =
      validate_all(pool, graph.blocks(), dealt(small_graph), search.shared_parents(), 0);
  EXPECT_EQ(found.broken, (Broken{0, 0, 1, 0, 0}));
  search.free_all();
}

}  // namespace
}  // namespace makespan::graph500

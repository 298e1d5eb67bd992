// SPDX-License-Identifier: Apache-2.0
// Goal: the tree of a search has the levels of the graph, for any number of threads and images,
// from above, from below and by turns. Method: a plain sequential search of the whole list; all
// checks of validate_all().
#include "makespan/apps/graph500/breadth_first_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <queue>
#include <span>
#include <vector>

#include "graph500_fixture.hpp"
#include "makespan/apps/graph500/detail/tree_levels.hpp"
#include "makespan/apps/graph500/roots.hpp"
#include "makespan/apps/graph500/validate.hpp"
#include "makespan/base/error.hpp"

namespace makespan::graph500 {
namespace {

constexpr Direction all_directions[] = {Direction::top_down, Direction::bottom_up,
                                        Direction::switching};

// By vertex, not_reached where it is not.
std::vector<std::int32_t> sequential_levels(std::int64_t vertices, std::vector<Edge> const& edges,
                                            Vertex root) {
  std::vector<std::vector<Vertex>> neighbours(static_cast<std::size_t>(vertices));
  for (Edge const& edge : edges) {
    neighbours[edge.from].push_back(edge.to);
    neighbours[edge.to].push_back(edge.from);
  }
  std::vector<std::int32_t> levels(neighbours.size(), not_reached);
  std::queue<Vertex> next({root});
  levels[root] = 0;
  for (; !next.empty(); next.pop()) {
    for (Vertex const neighbour : neighbours[next.front()]) {
      if (levels[neighbour] != not_reached) continue;
      levels[neighbour] = levels[next.front()] + 1;
      next.push(neighbour);
    }
  }
  return levels;
}

class BreadthFirstSearchTest : public Graph500Test {
 protected:
  std::vector<std::int32_t> found_levels(DistributedGraph const& graph,
                                         BreadthFirstSearch const& search, Vertex root) {
    std::vector<Vertex> own(static_cast<std::size_t>(graph.blocks().block()), no_vertex);
    std::ranges::copy(search.parents(), own.begin());
    std::vector<Vertex> parents = runtime.team().all_gather_all(std::span<Vertex const>(own));
    parents.resize(static_cast<std::size_t>(graph.blocks().vertices()));
    return tree_levels(parents, root);
  }

  void expect_levels_of(KroneckerGraph const& list, ThreadPool& pool) {
    std::vector<Edge> const edges = all_edges(list);
    std::vector<Edge> const own = dealt(edges);
    DistributedGraph const graph(pool, list.vertices(), own);
    std::map<Vertex, std::vector<std::int32_t>> expected;
    for (Vertex const root : choose_roots_all(pool, graph, 1, 3)) {
      expected[root] = sequential_levels(list.vertices(), edges, root);
    }
    for (Direction const direction : all_directions) {
      BreadthFirstSearch search(pool, graph, {.direction = direction});
      for (auto const& [root, levels] : expected) {
        SearchResult const found = search.run_all(root);
        EXPECT_EQ(found_levels(graph, search, root), levels);
        EXPECT_EQ(found.reached, std::ssize(levels) - std::ranges::count(levels, not_reached));
        EXPECT_EQ(found.levels, *std::ranges::max_element(levels) + 1);
        EXPECT_TRUE(direction != Direction::top_down || found.levels_bottom_up == 0);
        EXPECT_TRUE(
            validate_all(pool, graph.blocks(), own, search.shared_parents(), root).is_valid());
      }
      search.free_all();
    }
  }
};

TEST_F(BreadthFirstSearchTest, has_the_levels_of_a_sequential_search) {
  for (int threads = 1; threads <= threads_max; ++threads) {
    ThreadPool pool(runtime, threads);
    for (int scale = 6; scale <= 12; ++scale) {
      SCOPED_TRACE(testing::Message() << threads << " threads, scale " << scale);
      expect_levels_of(KroneckerGraph({.scale = scale}), pool);
    }
  }
}

TEST_F(BreadthFirstSearchTest, changes_its_direction) {
  ThreadPool pool(runtime, 2);
  KroneckerGraph const list({.scale = 12});
  DistributedGraph const graph(pool, list.vertices(), dealt(all_edges(list)));
  BreadthFirstSearch search(pool, graph);
  SearchResult const found = search.run_all(choose_roots_all(pool, graph, 1, 3).front());
  EXPECT_GT(found.levels_bottom_up, 0);
  EXPECT_LT(found.levels_bottom_up, found.levels);
  search.free_all();
}

// A hundred levels, of a vertex each, from image to image and back.
TEST_F(BreadthFirstSearchTest, follows_a_path) {
  ThreadPool pool(runtime, 2);
  std::vector<Edge> edges;
  std::vector<std::int32_t> levels(100);
  for (Vertex at = 0; at < 100; ++at) {
    // 51 and 100 have no factor in common.
    auto const numbered = [](Vertex place) { return place * 51U % 100U; };
    if (at + 1 < 100) edges.push_back({.from = numbered(at), .to = numbered(at + 1)});
    levels[numbered(at)] = static_cast<std::int32_t>(at);
  }
  std::vector<Edge> const own = dealt(edges);
  DistributedGraph const graph(pool, 100, own);
  for (Direction const direction : all_directions) {
    BreadthFirstSearch search(pool, graph, {.direction = direction});
    SearchResult const found = search.run_all(0);
    EXPECT_EQ(found.levels, 100);
    EXPECT_EQ(found_levels(graph, search, 0), levels);
    EXPECT_EQ(validate_all(pool, graph.blocks(), own, search.shared_parents(), 0).edges, 99);
    search.free_all();
  }
}

TEST_F(BreadthFirstSearchTest, reaches_a_root_alone) {
  ThreadPool pool(runtime, 2);
  std::vector<Edge> const own = dealt({{.from = 3, .to = 4}, {.from = 7, .to = 7}});
  DistributedGraph const graph(pool, 200, own);
  for (Direction const direction : all_directions) {
    BreadthFirstSearch search(pool, graph, {.direction = direction});
    // The last has no edge at all, and the one before an edge to itself.
    for (Vertex const root : {7U, 199U}) {
      SearchResult const found = search.run_all(root);
      EXPECT_EQ(found.reached, 1);
      EXPECT_EQ(found.levels, 1);
      Validation const validation =
          validate_all(pool, graph.blocks(), own, search.shared_parents(), root);
      EXPECT_TRUE(validation.is_valid());
      EXPECT_EQ(validation.edges, root == 7U ? 1 : 0);
    }
    search.free_all();
  }
}

// The only edge is a loop, so that no vertex has a neighbour.
TEST_F(BreadthFirstSearchTest, takes_graphs_of_one_vertex_and_of_one_edge) {
  ThreadPool pool(runtime, 2);
  DistributedGraph const loop(pool, 1, dealt({{.from = 0, .to = 0}}));
  DistributedGraph const pair(pool, 300, dealt({{.from = 1, .to = 299}}));
  for (Direction const direction : all_directions) {
    BreadthFirstSearch alone(pool, loop, {.direction = direction});
    EXPECT_EQ(alone.run_all(0).reached, 1);
    alone.free_all();
    BreadthFirstSearch both(pool, pair, {.direction = direction});
    EXPECT_EQ(both.run_all(299).reached, 2);
    EXPECT_EQ(both.run_all(1).levels, 2);
    both.free_all();
  }
}

TEST_F(BreadthFirstSearchTest, refuses_roots_and_options_that_are_none) {
  ThreadPool pool(runtime, 1);
  DistributedGraph const graph(pool, 100, {});
  BreadthFirstSearch search(pool, graph);
  EXPECT_THROW(static_cast<void>(search.run_all(100)), InputError);
  search.free_all();
  EXPECT_THROW(BreadthFirstSearch(pool, graph, {.alpha = 0.0}), InputError);
}

}  // namespace
}  // namespace makespan::graph500

// SPDX-License-Identifier: Apache-2.0
// Goal: no memory is given more than its limit where there is a way, and what is asked for is kept
// where it can be. Method: mappings that ask too much of a memory, by hand and at random.
#include "makespan/graph/balancer/within_memory.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "graph/small_graphs.hpp"
#include "makespan/graph/balancer/greedy.hpp"
#include "makespan/graph/balancer/makespan_balancer.hpp"
#include "makespan/graph/model/mapping_quality.hpp"
#include "makespan/graph/times/memory_use.hpp"

namespace makespan::graph {
namespace {

double excess(Graph const& graph, Places const& places, Mapping const& mapping) {
  return MemoryUse(graph, places, mapping).excess_bytes();
}

// Each place its own memory.
Places limited(int places, double bytes) {
  PlaceMemories memories{.limit_bytes =
                             std::vector<double>(static_cast<std::size_t>(places), bytes)};
  for (int place = 0; place < places; ++place) memories.of.push_back(place);
  return equal_places(places).with_memories(std::move(memories));
}

TEST(WithinMemory, leaves_what_has_room) {
  GraphColumns columns = silent({1, 1, 1});
  columns.bytes = {10, 10, 10};
  Graph const graph(columns);
  Mapping const all_at_one{1, 1, 1};

  EXPECT_EQ(within_memory(graph, equal_places(2), all_at_one), all_at_one);
  EXPECT_EQ(within_memory(graph, limited(2, 30.0), all_at_one), all_at_one);
}

TEST(WithinMemory, sends_elsewhere_what_the_mapping_has_moved) {
  GraphColumns columns = silent({1, 1, 1, 1});
  columns.bytes = {10, 10, 10, 10};
  columns.place = {0, 1, 1, 2};
  Graph const graph(columns);
  Places const places = limited(3, 20.0);

  Mapping const mapping = within_memory(graph, places, {1, 1, 1, 2});

  EXPECT_EQ(mapping, (Mapping{0, 1, 1, 2})) << "to the place that has nothing to do";
}

// Two objects of a block are the cheapest to send away only together.
TEST(WithinMemory, sends_those_that_share_a_block_together) {
  GraphColumns columns = silent({1, 1, 5, 5});
  columns.block = {0, 0, 1, 1};
  columns.block_bytes = {100, 100};
  columns.place = {0, 0, 0, 0};
  Graph const graph(columns);
  Places const places = limited(2, 100.0);

  Mapping const mapping = within_memory(graph, places, graph.now());

  EXPECT_EQ(mapping, (Mapping{1, 1, 0, 0}));
}

// The block is at both places, and neither has room for all that need it.
TEST(WithinMemory, parts_those_that_share_a_block_where_it_must) {
  GraphColumns columns = silent(std::vector<double>(40, 1.0));
  columns.bytes.assign(40, 10.0);
  columns.block.assign(40, 0);
  columns.block_bytes = {1000.0};
  for (std::size_t object = 26; object < 40; ++object) columns.place[object] = 1;
  Graph const graph(columns);
  Places const places = limited(2, 1250.0);
  ASSERT_EQ(excess(graph, places, graph.now()), 10.0);

  Mapping const mapping = within_memory(graph, places, graph.now());

  EXPECT_EQ(excess(graph, places, mapping), 0.0);
}

TEST(WithinMemory, leaves_fixed_objects) {
  GraphColumns columns = silent({1, 1, 1});
  columns.bytes = {10, 10, 10};
  columns.is_fixed = {1, 1, 0};
  Graph const graph(columns);

  EXPECT_EQ(within_memory(graph, limited(2, 10.0), graph.now()), (Mapping{0, 0, 1}));
}

TEST(WithinMemory, goes_back_to_what_is_nearer_to_the_limits) {
  GraphColumns columns = silent({1, 1});
  columns.bytes = {50, 60};
  columns.place = {0, 1};
  Graph const graph(columns);
  // Neither has room for both, nor can either leave.
  Places const places = limited(2, 60.0);

  EXPECT_EQ(within_memory(graph, places, {1, 1}), (Mapping{0, 1}));
  EXPECT_EQ(excess(graph, limited(2, 40.0), within_memory(graph, limited(2, 40.0), {1, 1})), 30.0)
      << "as it is now";
}

TEST(WithinMemory, finds_room_at_random_where_there_is_some) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    GraphColumns columns = random_graph(seed, 60, 3, 4);
    std::mt19937 random(seed);
    double sum = 0.0;
    for (std::size_t object = 0; object < columns.place.size(); ++object) {
      columns.footprint.push_back(1.0 + static_cast<double>(random() % 10));
      sum += columns.footprint.back();
    }
    Graph const graph(columns);
    Places const places = limited(4, 1.15 * sum / 4);
    Mapping const greedy = GreedyBalancer({}).map(graph, places);

    EXPECT_EQ(excess(graph, places, within_memory(graph, places, greedy)), 0.0) << seed;
    EXPECT_EQ(excess(graph, places, within_memory(graph, places, Mapping(60, 2))), 0.0) << seed;
  }
}

// The sixteenth part of what there is must be at each place, of memory as of work, and the present
// mapping has too much of both at one.
TEST(WithinMemory, lets_makespan_balance_work_within_the_limits) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    GraphColumns columns = silent({});
    std::mt19937 random(seed);
    for (int object = 0; object < 160; ++object) {
      columns.work.push_back(1e-3 * (1.0 + static_cast<double>(random() % 100) / 25.0));
      columns.place.push_back(object < 30 ? 0 : object % 16);
      columns.block.push_back(object / 4);
      columns.bytes.push_back(100.0);
    }
    columns.block_bytes.assign(40, 1e5);
    Graph const graph(columns);
    Places const places = limited(16, 4.5e5);  // 2.5 blocks are a place's share

    Mapping const mapping = MakespanBalancer({}).map(graph, places);

    EXPECT_EQ(excess(graph, places, mapping), 0.0);
    EXPECT_LT(quality_of(graph, places, mapping).imbalance, 1.1) << seed;
  }
}

}  // namespace
}  // namespace makespan::graph

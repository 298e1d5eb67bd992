// SPDX-License-Identifier: Apache-2.0
// Goal: memories are as full as their definition says, after any moves. Method: small cases by
// hand, and random moves against a count from the beginning.
#include "makespan/graph/times/memory_use.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include "graph/small_graphs.hpp"

namespace makespan::graph {
namespace {

// The definition, place by place.
double counted(Graph const& graph, Places const& places, Mapping const& mapping, int memory) {
  double bytes = places.memories().used_bytes[static_cast<std::size_t>(memory)];
  std::set<int> blocks;
  for (int place = 0; place < places.count(); ++place) {
    if (places.memory_of(place) != memory) continue;
    double running = 0.0;
    for (int object = 0; object < graph.objects(); ++object) {
      if (mapping[static_cast<std::size_t>(object)] != place) continue;
      bytes += graph.footprint(object);
      running = std::max(running, graph.working(object));
      if (graph.block(object) >= 0) blocks.insert(graph.block(object));
    }
    bytes += running;
  }
  for (int const block : blocks) bytes += graph.block_bytes(block);
  return bytes;
}

GraphColumns with_memory(GraphColumns columns, unsigned seed, int blocks) {
  std::mt19937 random(seed);
  for (int block = 0; block < blocks; ++block) {
    columns.block_bytes.push_back(static_cast<double>(random() % 900));
  }
  for (std::size_t object = 0; object < columns.place.size(); ++object) {
    columns.footprint.push_back(static_cast<double>(random() % 100));
    columns.working.push_back(static_cast<double>(random() % 5) * 10.0);
    columns.block.push_back(
        static_cast<std::int32_t>(random() % static_cast<unsigned>(blocks + 1)) - 1);
  }
  return columns;
}

TEST(MemoryUse, counts_a_block_once_and_the_largest_that_runs) {
  GraphColumns columns = silent({1, 1, 1, 1});
  columns.footprint = {1, 2, 3, 4};
  columns.working = {10, 30, 20, 0};
  columns.block = {0, 0, 1, -1};
  columns.block_bytes = {100, 1000};
  columns.place = {0, 0, 1, 1};
  Graph const graph(columns);
  Places const places = equal_places(2).with_memories(
      {.of = {0, 1}, .limit_bytes = {1e4, 1e4}, .used_bytes = {5, 0}});
  MemoryUse use(graph, places, graph.now());

  EXPECT_EQ(use.used_bytes(0), 5 + 1 + 2 + 100 + 30);
  EXPECT_EQ(use.used_bytes(1), 3 + 4 + 1000 + 20);

  use.move(1, 0, 1);

  EXPECT_EQ(use.used_bytes(0), 5 + 1 + 100 + 10);
  EXPECT_EQ(use.used_bytes(1), 2 + 3 + 4 + 100 + 1000 + 30);
}

TEST(MemoryUse, has_room_up_to_the_limit) {
  GraphColumns columns = silent({1, 1});
  columns.footprint = {40, 60};
  columns.place = {0, 1};
  Graph const graph(columns);
  auto const limited = [](double bytes) {
    return equal_places(2).with_memories({.of = {0, 1}, .limit_bytes = {bytes, bytes}});
  };
  Places const enough = limited(100);
  Places const short_by_one = limited(99);

  EXPECT_TRUE(MemoryUse(graph, enough, graph.now()).has_room(0, 0, 1));
  EXPECT_FALSE(MemoryUse(graph, short_by_one, graph.now()).has_room(0, 0, 1));
  EXPECT_TRUE(MemoryUse(graph, short_by_one, graph.now()).has_room(0, 0, 0));
}

// A third, three times, is a little more or less than one.
TEST(MemoryUse, is_full_and_no_more_to_rounding) {
  GraphColumns columns = silent(std::vector<double>(3, 1.0));
  columns.footprint.assign(3, 0.1);
  Graph const graph(columns);
  Places const places = equal_places(1).with_memories({.of = {0}, .limit_bytes = {0.3}});
  MemoryUse const use(graph, places, graph.now());

  ASSERT_GT(use.used_bytes(0), 0.3) << "or nothing is tested";
  EXPECT_EQ(use.excess_bytes(), 0.0);
  EXPECT_EQ(use.fullest(), 1.0);
}

TEST(MemoryUse, has_room_for_what_shares_a_block_that_is_there) {
  GraphColumns columns = silent({1, 1, 1});
  columns.block = {0, 0, 1};
  columns.block_bytes = {80, 80};
  columns.place = {0, 1, 0};
  Graph const graph(columns);
  Places const places = equal_places(2).with_memories({.of = {0, 1}, .limit_bytes = {1e9, 100}});
  MemoryUse const use(graph, places, graph.now());

  EXPECT_TRUE(use.has_room(0, 0, 1));
  EXPECT_FALSE(use.has_room(2, 0, 1));
}

TEST(MemoryUse, has_room_in_the_memory_that_it_is_in_however_full) {
  GraphColumns columns = silent({1, 1});
  columns.footprint = {40, 60};
  columns.place = {0, 1};
  Graph const graph(columns);
  Places const places = equal_places(2).with_memories({.of = {0, 0}, .limit_bytes = {10}});
  MemoryUse use(graph, places, graph.now());

  EXPECT_TRUE(use.has_room(0, 0, 1));
  EXPECT_EQ(use.excess_bytes(0), 90.0);
  EXPECT_EQ(use.excess_bytes(), 90.0);
  EXPECT_EQ(use.fullest(), 10.0);
}

TEST(MemoryUse, has_room_everywhere_without_limits) {
  Graph const graph(random_graph(1, 20, 3, 4));
  Places const places = equal_places(4);
  MemoryUse use(graph, places, graph.now());

  EXPECT_FALSE(use.is_limited());
  EXPECT_EQ(use.fullest(), 0.0);
  EXPECT_TRUE(use.has_room(3, graph.now()[3], 2));
  use.move(3, graph.now()[3], 2);
  EXPECT_EQ(use.excess_bytes(), 0.0);
}

TEST(MemoryUse, is_by_any_moves_what_it_is_from_the_beginning) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Graph const graph(with_memory(random_graph(seed, 40, 2, 6), seed, 7));
    // Places 0 and 1 share a memory, 2 to 4 another.
    Places const places = equal_places(6).with_memories(
        {.of = {0, 0, 1, 1, 1, 2}, .limit_bytes = {1500, 3000, 2000}, .used_bytes = {0, 200, 5}});
    Mapping mapping = graph.now();
    MemoryUse use(graph, places, mapping);
    std::mt19937 random(seed);
    for (int turn = 0; turn < 300; ++turn) {
      auto const object = static_cast<int>(random() % 40);
      auto const to = static_cast<int>(random() % 6);
      std::int32_t& at = mapping[static_cast<std::size_t>(object)];
      int const memory = places.memory_of(to);
      double const before = counted(graph, places, mapping, memory);
      bool const has_room = use.has_room(object, at, to);

      use.move(object, at, to);
      at = to;

      double const after = counted(graph, places, mapping, memory);
      EXPECT_EQ(has_room,
                after <= before ||
                    after <= places.memories().limit_bytes[static_cast<std::size_t>(memory)])
          << seed << " " << turn;
      for (int each = 0; each < 3; ++each) {
        ASSERT_EQ(use.used_bytes(each), counted(graph, places, mapping, each)) << seed;
      }
    }
  }
}

}  // namespace
}  // namespace makespan::graph

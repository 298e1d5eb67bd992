// SPDX-License-Identifier: Apache-2.0
// Goal: each item that is left in a node's pool is taken once, by any worker of the node; what a
// bag leaves is not seen by the next ones. Method: the pool of a runtime, under several numbers of
// images.
#include "makespan/bag/image/detail/node_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "makespan/bag/image/detail/gathered_roster.hpp"
#include "makespan/bag/team_layout.hpp"
#include "makespan/bag/team_options.hpp"
#include "makespan/pgas/team.hpp"

namespace makespan::bag {
namespace {

class NodePoolTest : public testing::Test {
 protected:
  NodePoolTest() { pool.begin(here(), 1); }
  ~NodePoolTest() override { runtime.finish_all(); }

  pgas::Endpoint& here() { return runtime.endpoint(0); }
  static constexpr int thread = 0;  // of the team
  [[nodiscard]] bool is_first() { return runtime.node_team().rank() == 0; }
  void meet_all() { runtime.team().barrier_all(); }

  std::optional<ItemRange> take(std::int64_t items) {
    return pool.take(thread, [items](ItemRange left) {
      return ItemRange{left.begin, std::min(left.begin + items, left.end)};
    });
  }

  pgas::Runtime runtime{{.threads = 2}};
  ImageRoster roster{make_roster_all(runtime.team(), TeamLayout({{.threads = 1}, {.threads = 1}}))};
  NodePool pool{runtime, roster};
};

TEST_F(NodePoolTest, is_for_the_workers_of_the_node) {
  EXPECT_EQ(pool.workers(), 2 * runtime.node_team().size());
  EXPECT_TRUE(pool.is_there());
  EXPECT_TRUE(pool.is_empty(thread));
  EXPECT_FALSE(take(1).has_value());
}

TEST_F(NodePoolTest, gives_from_the_front_and_refuses_what_comes_on_top) {
  if (is_first()) {
    ASSERT_TRUE(pool.offer(thread, {10, 25}));
    EXPECT_FALSE(pool.offer(thread, {30, 40}));
    EXPECT_EQ(take(4), (ItemRange{10, 14}));
    EXPECT_FALSE(pool.is_empty(thread));
    EXPECT_EQ(take(100), (ItemRange{14, 25}));
    EXPECT_TRUE(pool.is_empty(thread));
    EXPECT_TRUE(pool.offer(thread, {30, 40}));
  }
  meet_all();
}

TEST_F(NodePoolTest, gives_each_item_once) {
  constexpr std::int64_t items = 10'000;
  if (is_first()) {
    ASSERT_TRUE(pool.offer(thread, {0, items}));
  }
  meet_all();
  std::int64_t taken = 0;
  std::int64_t sum = 0;
  for (auto part = take(7); part; part = take(7)) {
    taken += part->items();
    for (std::int64_t item = part->begin; item < part->end; ++item) sum += item;
  }
  pgas::Team& node = runtime.node_team();
  EXPECT_EQ(node.all_reduce_all(pgas::ReduceOp::sum, taken), items);
  EXPECT_EQ(node.all_reduce_all(pgas::ReduceOp::sum, sum), items * (items - 1) / 2);
  meet_all();
}

TEST_F(NodePoolTest, forgets_what_a_bag_has_left) {
  if (is_first()) {
    ASSERT_TRUE(pool.offer(thread, {0, 5}));
  }
  meet_all();
  pool.begin(here(), 2);
  EXPECT_TRUE(pool.is_empty(thread));
  meet_all();
  pool.begin(here(), 3);  // the word of the first bag again
  EXPECT_TRUE(pool.is_empty(thread));
  meet_all();
}

TEST_F(NodePoolTest, sums_the_speeds_of_the_node) {
  int const first = roster.first_worker[static_cast<std::size_t>(runtime.image().value())];
  EXPECT_EQ(pool.speed_together(thread), Speed{0.0});
  meet_all();
  pool.report_speed(thread, first, Speed{3.0});
  meet_all();
  // The other worker of each image, whose speed was not told, counts as fast as the fastest.
  EXPECT_EQ(pool.speed_together(thread), Speed{3.0} * pool.workers());
  meet_all();
  pool.report_speed(thread, first + 1, Speed{1.0});
  meet_all();
  EXPECT_EQ(pool.speed_together(thread), Speed{2.0} * pool.workers());
  meet_all();
}

}  // namespace
}  // namespace makespan::bag

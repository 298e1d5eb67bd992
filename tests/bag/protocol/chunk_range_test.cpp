// SPDX-License-Identifier: Apache-2.0
// Goal: what a policy asks for becomes items that are free, and ends where the mode lets it.
// Method: a bag of two tasks of unequal cost, by hand.
#include "makespan/bag/protocol/chunk_range.hpp"

#include <gtest/gtest.h>

#include "makespan/bag/protocol/range_word.hpp"

namespace makespan::bag {
namespace {

// Ten items of cost 3, then twenty of cost 1.
Bag two_tasks() {
  return Bag({{TaskId{0}, 10, Work{3.0}}, {TaskId{1}, 20, Work{1.0}}});
}

TEST(ChunkRange, takes_as_many_items_as_asked_for_and_free) {
  Bag const bag = two_tasks();

  EXPECT_EQ(chunk_range(bag, ChunkSize::of_items(4), Mode::automatic, {2, 30}), (ItemRange{2, 6}));
  EXPECT_EQ(chunk_range(bag, ChunkSize::of_items(100), Mode::automatic, {2, 8}), (ItemRange{2, 8}));
}

TEST(ChunkRange, takes_items_worth_the_work_and_at_least_one) {
  Bag const bag = two_tasks();

  EXPECT_EQ(chunk_range(bag, ChunkSize::of_work(Work{9.0}), Mode::automatic, {1, 30}),
            (ItemRange{1, 4}));
  EXPECT_EQ(chunk_range(bag, ChunkSize::of_work(Work{1e-9}), Mode::automatic, {1, 30}),
            (ItemRange{1, 2}));
}

// Beside the first cost the sum has no room for the others.
TEST(ChunkRange, takes_an_item_of_costs_that_are_lost_in_the_sum) {
  Bag const bag({{TaskId{0}, 1, Work{1e17}}, {TaskId{1}, 2, Work{1.0}}});
  Work const left = bag.work() - bag.work_before(1);
  ASSERT_EQ(left, Work{0.0});

  EXPECT_EQ(chunk_range(bag, ChunkSize::of_work(left), Mode::automatic, {1, 3}), (ItemRange{1, 2}));
}

TEST(ChunkRange, ends_with_a_task_where_it_can_and_must_in_mode_mo) {
  Bag const bag = two_tasks();

  EXPECT_EQ(chunk_range(bag, ChunkSize::of_items(15), Mode::automatic, {0, 30}),
            (ItemRange{0, 10}));
  EXPECT_EQ(chunk_range(bag, ChunkSize::of_items(1), Mode::mo, {0, 30}), (ItemRange{0, 10}));
}

TEST(ChunkRange, holds_no_more_than_a_range_word) {
  Bag const bag({{TaskId{0}, 2 * RangeWord::items_max, Work{1.0}}});

  EXPECT_EQ(
      chunk_range(bag, ChunkSize::of_items(bag.items()), Mode::automatic, {0, bag.items()}).items(),
      RangeWord::items_max);
}

TEST(ChunkRange, loop_has_the_facts_of_the_bag) {
  LoopFacts const loop = loop_of(two_tasks(), 7);

  EXPECT_EQ(loop.items, 30);
  EXPECT_EQ(loop.work, Work{50.0});
  EXPECT_EQ(loop.workers, 7);
}

}  // namespace
}  // namespace makespan::bag

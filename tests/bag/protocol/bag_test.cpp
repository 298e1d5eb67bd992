// SPDX-License-Identifier: Apache-2.0
// Goal: items lie longest first, and prefix sums answer the questions of a claim. Method: a bag
// small enough to check by hand, then one of 100 000 tasks against plain loops.
#include "makespan/bag/protocol/bag.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "makespan/base/contracts.hpp"

namespace makespan::bag {
namespace {

Segment segment(std::int64_t task, std::int64_t items, double cost) {
  return {TaskId{task}, items, Work{cost}};
}

// In order: task 2 (items 0-1, 9 each), task 0 (items 2-4, 5 each), task 3 (item 5, 5), task 1
// (items 6-9, 1 each).
Bag small_bag() {
  return Bag({segment(0, 3, 5), segment(1, 4, 1), segment(2, 2, 9), segment(3, 1, 5)});
}

TEST(Bag, lays_the_dearest_items_first_and_breaks_ties_by_task) {
  Bag const bag = small_bag();

  std::vector<std::int64_t> tasks;
  for (Segment const& each : bag.segments()) tasks.push_back(each.task.value());

  EXPECT_EQ(tasks, (std::vector<std::int64_t>{2, 0, 3, 1}));
}

TEST(Bag, does_not_depend_on_the_order_given) {
  Bag const bag({segment(3, 1, 5), segment(2, 2, 9), segment(1, 4, 1), segment(0, 3, 5)});

  EXPECT_EQ(bag.segments()[1].task, TaskId{0});
  EXPECT_EQ(bag.segments()[2].task, TaskId{3});
}

TEST(Bag, counts_items_tasks_and_work) {
  Bag const bag = small_bag();

  EXPECT_EQ(bag.tasks(), 4);
  EXPECT_EQ(bag.items(), 10);
  EXPECT_EQ(bag.work(), Work{18.0 + 15.0 + 5.0 + 4.0});
}

TEST(Bag, drops_tasks_without_items) {
  Bag const bag({segment(0, 0, 5), segment(1, 4, 1)});

  EXPECT_EQ(bag.tasks(), 1);
}

TEST(Bag, may_be_empty) {
  Bag const bag({});

  EXPECT_EQ(bag.items(), 0);
  EXPECT_EQ(bag.work(), Work{0.0});
  EXPECT_EQ(bag.item_cost_spread(), 0.0);
  EXPECT_EQ(bag.work_before(0), Work{0.0});
  EXPECT_EQ(bag.items_worth(Work{1.0}), 0);
}

TEST(Bag, finds_the_task_of_an_item) {
  Bag const bag = small_bag();

  std::vector<std::int64_t> segments;
  for (std::int64_t item = 0; item < bag.items(); ++item) segments.push_back(bag.segment_of(item));

  EXPECT_EQ(segments, (std::vector<std::int64_t>{0, 0, 1, 1, 1, 2, 3, 3, 3, 3}));
}

TEST(Bag, numbers_items_within_their_task) {
  Bag const bag = small_bag();
  ItemRange const range{1, 8};

  EXPECT_EQ(bag.task_items(0, range).items, (ItemRange{1, 2}));
  EXPECT_EQ(bag.task_items(1, range).items, (ItemRange{0, 3}));
  EXPECT_EQ(bag.task_items(3, range).items, (ItemRange{0, 2}));
  EXPECT_EQ(bag.task_items(3, range).task, TaskId{1});
}

TEST(Bag, sums_work_up_to_an_item) {
  Bag const bag = small_bag();

  std::vector<double> work;
  for (std::int64_t items = 0; items <= bag.items(); ++items)
    work.push_back(bag.work_before(items).value());

  EXPECT_EQ(work, (std::vector<double>{0, 9, 18, 23, 28, 33, 38, 39, 40, 41, 42}));
  EXPECT_EQ(bag.work_of({1, 6}), Work{29.0});
}

TEST(Bag, counts_the_items_that_an_amount_of_work_buys_to_the_nearest) {
  Bag const bag = small_bag();

  EXPECT_EQ(bag.items_worth(Work{-1.0}), 0);
  EXPECT_EQ(bag.items_worth(Work{4.4}), 0);
  EXPECT_EQ(bag.items_worth(Work{std::nan("")}), 0);
  EXPECT_EQ(bag.items_worth(Work{4.6}), 1);
  EXPECT_EQ(bag.items_worth(Work{18.0}), 2);
  EXPECT_EQ(bag.items_worth(Work{25.4}), 3);
  EXPECT_EQ(bag.items_worth(Work{25.6}), 4);
  EXPECT_EQ(bag.items_worth(Work{40.9}), 9);
  EXPECT_EQ(bag.items_worth(Work{1e9}), 10);
}

TEST(Bag, measures_the_spread_of_item_costs) {
  EXPECT_EQ(Bag({segment(0, 5, 3), segment(1, 5, 3)}).item_cost_spread(), 0.0);
  // Ten items at 3 and ten at 1: mean 2, standard deviation 1.
  EXPECT_DOUBLE_EQ(Bag({segment(0, 10, 3), segment(1, 10, 1)}).item_cost_spread(), 0.5);
}

TEST(Bag, agrees_with_plain_sums_on_100_000_tasks) {
  std::mt19937_64 random{20261120};
  std::vector<Segment> segments;
  for (std::int64_t task = 0; task < 100'000; ++task) {
    segments.push_back(segment(task, static_cast<std::int64_t>(random() % 9),
                               1.0 + static_cast<double>(random() % 1000)));
  }
  Bag const bag(segments);

  std::int64_t item = 0;
  double work = 0.0;  // exact: sums of whole numbers far below 2^53
  for (std::int64_t at = 0; at < bag.tasks(); ++at) {
    Segment const& each = bag.segments()[static_cast<std::size_t>(at)];
    ASSERT_EQ(bag.segment_items(at), (ItemRange{item, item + each.items}));
    ASSERT_EQ(bag.segment_of(item), at);
    ASSERT_EQ(bag.work_before(item), Work{work});
    ASSERT_EQ(bag.items_worth(Work{work}), item);
    item += each.items;
    work += static_cast<double>(each.items) * each.cost_per_item.value();
  }
  EXPECT_EQ(bag.items(), item);
  EXPECT_EQ(bag.work(), Work{work});
}

TEST(Bag, expects_costs_above_zero_and_finite) {
  EXPECT_THROW(Bag({segment(0, 1, 0.0)}), ContractViolated);
  EXPECT_THROW(Bag({segment(0, 1, std::numeric_limits<double>::infinity())}), ContractViolated);
  EXPECT_THROW(Bag({segment(0, -1, 1.0)}), ContractViolated);
}

TEST(Bag, expects_items_that_it_has) {
  EXPECT_THROW(static_cast<void>(small_bag().segment_of(10)), ContractViolated);
  EXPECT_THROW(static_cast<void>(small_bag().segment_of(-1)), ContractViolated);
}

}  // namespace
}  // namespace makespan::bag

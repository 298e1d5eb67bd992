// SPDX-License-Identifier: Apache-2.0
// Goal: what is done of a bag and the item that is at hand then belong together, for predictions
// that are right and wrong. Method: sums by hand.
#include "makespan/sim/model/true_costs.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace makespan::sim {
namespace {

// In the bag's order: two items of 3, four of 2, one of 1.
bag::Bag bag_of_three() {
  return bag::Bag(
      {{TaskId{0}, 4, Work{2.0}}, {TaskId{1}, 1, Work{1.0}}, {TaskId{2}, 2, Work{3.0}}});
}

TEST(TrueCosts, are_the_predicted_ones_if_nothing_is_said) {
  bag::Bag const bag = bag_of_three();
  TrueCosts const costs(bag);

  for (std::int64_t item = 0; item <= bag.items(); ++item) {
    EXPECT_EQ(costs.work_before(item), bag.work_before(item)) << item;
  }
  EXPECT_EQ(costs.work(), Work{15.0});
}

TEST(TrueCosts, are_as_many_times_as_much_as_is_said_of_a_task) {
  bag::Bag const bag = bag_of_three();
  TrueCosts const costs(bag, std::vector<double>{0.5, 4.0});

  // 3 3 | 1 1 1 1 | 4
  EXPECT_EQ(costs.work(), Work{14.0});
  EXPECT_EQ(costs.work_of({1, 4}), Work{5.0});
  EXPECT_EQ(costs.work_of({5, 7}), Work{5.0});
}

TEST(TrueCosts, know_the_item_at_hand) {
  bag::Bag const bag = bag_of_three();
  TrueCosts const costs(bag, std::vector<double>{0.5, 4.0});

  std::vector<std::pair<double, std::int64_t>> const table{
      {0, 0}, {2.9, 0}, {3, 1}, {5.9, 1}, {6, 2}, {7.5, 3}, {9.9, 5}, {10, 6}, {13.9, 6}, {14, 7}};
  for (auto const& [done, item] : table) EXPECT_EQ(costs.item_at(Work{done}), item) << done;
}

}  // namespace
}  // namespace makespan::sim

// SPDX-License-Identifier: Apache-2.0
// Goal: a list becomes a bag of its items, and wrong costs are named. Method: small lists.
#include "makespan/bag/item_list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "makespan/base/error.hpp"

namespace makespan::bag {
namespace {

using testing::HasSubstr;

TEST(ItemList, without_costs_is_one_task) {
  Bag const bag = bag_of_items(7, {});

  EXPECT_EQ(bag.items(), 7);
  EXPECT_EQ(bag.tasks(), 1);
  EXPECT_EQ(index_of(false, TaskId{0}, 5), 5);
  EXPECT_EQ(bag_of_items(0, {}).items(), 0);
}

TEST(ItemList, with_costs_has_the_dearest_first) {
  std::vector<double> const costs{1, 5, 3};
  Bag const bag = bag_of_items(3, costs);

  ASSERT_EQ(bag.tasks(), 3);
  EXPECT_EQ(bag.segments().front().task, TaskId{1});
  EXPECT_EQ(bag.work(), Work{9.0});
  EXPECT_EQ(index_of(true, TaskId{1}, 0), 1);
}

TEST(ItemList, names_what_is_wrong) {
  auto const refusal = [](std::int64_t items, std::vector<double> const& costs) -> std::string {
    try {
      static_cast<void>(bag_of_items(items, costs));
    } catch (InputError const& error) {
      return error.what();
    }
    return "";
  };

  EXPECT_THAT(refusal(-1, {}), HasSubstr("items = -1"));
  EXPECT_THAT(refusal(3, {1, 2}), HasSubstr("2 for 3"));
  EXPECT_THAT(refusal(2, {1, 0}), HasSubstr("costs[1] = 0"));
  EXPECT_THAT(refusal(2, {std::numeric_limits<double>::infinity(), 1}), HasSubstr("costs[0]"));
  EXPECT_THAT(refusal(3, {1e308, 1e308, 1e308}), HasSubstr("costs whose sum is not finite"));
}

}  // namespace
}  // namespace makespan::bag

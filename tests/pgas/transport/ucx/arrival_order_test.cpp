// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/transport/ucx/detail/arrival_order.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace makespan::pgas {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class ArrivalOrderTest : public testing::Test {
 protected:
  void arrive(std::size_t origin, std::uint32_t number) {
    order.arrive(origin, number, static_cast<int>(number),
                 [this](int item) { taken.push_back(item); });
  }

  ArrivalOrder<int> order{2};
  std::vector<int> taken;
};

TEST_F(ArrivalOrderTest, Order_lets_pass_what_is_in_order) {
  for (std::uint32_t number : {0U, 1U, 2U}) arrive(0, number);

  EXPECT_THAT(taken, ElementsAre(0, 1, 2));
}

TEST_F(ArrivalOrderTest, Order_keeps_what_is_early_until_the_gap_is_closed) {
  for (std::uint32_t number : {2U, 1U, 4U}) arrive(0, number);
  EXPECT_THAT(taken, IsEmpty());

  arrive(0, 0);
  EXPECT_THAT(taken, ElementsAre(0, 1, 2));

  arrive(0, 3);
  EXPECT_THAT(taken, ElementsAre(0, 1, 2, 3, 4));
}

TEST_F(ArrivalOrderTest, Order_counts_each_origin_by_itself) {
  arrive(0, 1);
  arrive(1, 0);

  EXPECT_THAT(taken, ElementsAre(0));
}

// Every window of half the room, shuffled: all come out, in order.
TEST_F(ArrivalOrderTest, Order_sorts_any_order_within_its_room) {
  std::mt19937 random(7);
  constexpr std::uint32_t window = ArrivalOrder<int>::early_max / 2;
  for (std::uint32_t begin = 0; begin < 20 * window; begin += window) {
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t at = 0; at < window; ++at) numbers.push_back(begin + at);
    std::ranges::shuffle(numbers, random);
    for (std::uint32_t const number : numbers) arrive(1, number);
  }

  EXPECT_EQ(taken.size(), 20 * window);
  EXPECT_TRUE(std::ranges::is_sorted(taken));
}

TEST_F(ArrivalOrderTest, Order_refuses_what_is_too_early) {
  arrive(0, ArrivalOrder<int>::early_max - 1);

  EXPECT_TRUE(order.takes(0, ArrivalOrder<int>::early_max - 2));
  EXPECT_FALSE(order.takes(0, ArrivalOrder<int>::early_max));
  EXPECT_THROW(arrive(0, ArrivalOrder<int>::early_max), ContractViolated);
}

TEST_F(ArrivalOrderTest, Order_refuses_a_number_twice) {
  EXPECT_TRUE(order.takes(0, 3));
  arrive(0, 3);
  arrive(0, 0);

  EXPECT_FALSE(order.takes(0, 3));
  EXPECT_THROW(arrive(0, 3), ContractViolated);
  EXPECT_FALSE(order.takes(0, 0));
  EXPECT_THROW(arrive(0, 0), ContractViolated);
}

TEST_F(ArrivalOrderTest, Order_that_is_closed_drops_what_waits) {
  std::vector<int> dropped;
  for (std::uint32_t number : {5U, 0U, 2U}) arrive(0, number);
  arrive(1, 7);

  order.close(0, [&](int item) { dropped.push_back(item); });

  EXPECT_THAT(dropped, testing::UnorderedElementsAre(5, 2));
  EXPECT_TRUE(order.is_closed(0));
  EXPECT_FALSE(order.is_closed(1));
  EXPECT_THROW(arrive(0, 1), ContractViolated);
}

}  // namespace
}  // namespace makespan::pgas

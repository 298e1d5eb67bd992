// SPDX-License-Identifier: Apache-2.0
// Goal: the count is that of different items, whatever ranges are marked. Method: edges of the
// 64-bit words by hand, then random ranges against a vector of flags.
#include "makespan/bag/protocol/detail/finished_items.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "makespan/base/contracts.hpp"

namespace makespan::bag {
namespace {

TEST(FinishedItems, counts_what_is_new) {
  FinishedItems finished(200);

  EXPECT_EQ(finished.mark({0, 0}), 0);
  EXPECT_EQ(finished.mark({63, 65}), 2);
  EXPECT_EQ(finished.mark({0, 64}), 63);
  EXPECT_EQ(finished.mark({0, 65}), 0);
  EXPECT_EQ(finished.mark({128, 192}), 64);
  EXPECT_EQ(finished.mark({0, 200}), 200 - 65 - 64);
  EXPECT_EQ(finished.count(), 200);
}

TEST(FinishedItems, agrees_with_flags_on_random_ranges) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random{seed};
    auto const items = static_cast<std::int64_t>(1 + random() % 300);
    FinishedItems finished(items);
    std::vector<bool> flags(static_cast<std::size_t>(items));
    for (int round = 0; round < 20; ++round) {
      auto const a = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(items + 1));
      auto const b = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(items + 1));
      finished.mark({std::min(a, b), std::max(a, b)});
      std::fill(flags.begin() + std::min(a, b), flags.begin() + std::max(a, b), true);
      ASSERT_EQ(finished.count(), std::count(flags.begin(), flags.end(), true));
    }
    for (std::int64_t item = 0; item < items; ++item) {
      ASSERT_EQ(finished.contains(item), flags[static_cast<std::size_t>(item)]);
      auto const begin = std::find(flags.begin() + item, flags.end(), false);
      auto const end = std::find(begin, flags.end(), true);
      ASSERT_EQ(finished.first_gap({item, items}),
                (ItemRange{begin - flags.begin(), end - flags.begin()}));
    }
  }
}

TEST(FinishedItems, finds_the_first_gap) {
  FinishedItems finished(300);
  finished.mark({10, 20});
  finished.mark({30, 35});
  finished.mark({60, 200});

  EXPECT_EQ(finished.first_gap({10, 60}), (ItemRange{20, 30}));
  EXPECT_EQ(finished.first_gap({5, 40}), (ItemRange{5, 10}));
  EXPECT_EQ(finished.first_gap({31, 300}), (ItemRange{35, 60}));
  EXPECT_EQ(finished.first_gap({64, 256}), (ItemRange{200, 256}));
  EXPECT_EQ(finished.first_gap({12, 18}), (ItemRange{18, 18}));
  EXPECT_EQ(finished.first_gap({300, 300}), (ItemRange{300, 300}));
}

TEST(FinishedItems, expects_ranges_inside_the_bag) {
  FinishedItems finished(10);

  EXPECT_THROW(finished.mark({0, 11}), ContractViolated);
  EXPECT_THROW(finished.mark({-1, 3}), ContractViolated);
}

TEST(FinishedItems, knows_of_ranges_that_none_is_finished) {
  FinishedItems finished(200);
  finished.mark({70, 71});

  EXPECT_TRUE(finished.has_none_of({0, 70}));
  EXPECT_TRUE(finished.has_none_of({71, 200}));
  EXPECT_TRUE(finished.has_none_of({70, 70}));
  EXPECT_FALSE(finished.has_none_of({70, 71}));
  EXPECT_FALSE(finished.has_none_of({0, 200}));
}

}  // namespace
}  // namespace makespan::bag

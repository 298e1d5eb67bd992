// SPDX-License-Identifier: Apache-2.0
// Goal: the top is what a scan finds, after any changes. Method: random changes against a map.
#include "makespan/base/indexed_heap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace makespan {
namespace {

TEST(IndexedHeap, has_the_least_key_on_top) {
  std::mt19937_64 random{5};
  IndexedHeap heap(40);
  std::map<int, double> expected;
  for (int change = 0; change < 20'000; ++change) {
    auto const thing = static_cast<int>(random() % 40);
    if (random() % 3 == 0) {
      heap.erase(thing);
      expected.erase(thing);
    } else {
      auto const key = static_cast<double>(random() % 16);  // many are equal
      heap.set(thing, key);
      expected[thing] = key;
    }
    ASSERT_EQ(heap.empty(), expected.empty());
    ASSERT_EQ(heap.contains(thing), expected.contains(thing));
    if (expected.empty()) continue;
    auto const least = std::ranges::min_element(
        expected, {}, [](auto const& one) { return std::pair(one.second, one.first); });
    ASSERT_EQ(heap.top(), least->first);
    ASSERT_EQ(heap.key(heap.top()), least->second);
  }
}

TEST(IndexedHeap, can_be_emptied_and_filled_again) {
  IndexedHeap heap(3);
  heap.set(2, 1.0);
  heap.set(0, 2.0);

  heap.clear();

  EXPECT_TRUE(heap.empty());
  EXPECT_FALSE(heap.contains(2));
  heap.set(1, 5.0);
  EXPECT_EQ(heap.top(), 1);
}

}  // namespace
}  // namespace makespan

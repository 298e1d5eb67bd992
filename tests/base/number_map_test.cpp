// SPDX-License-Identifier: Apache-2.0
// Goal: it holds what a std::map holds. Method: the same random insertions and removals in both,
// with few keys, so that they meet, and with the greatest.
#include "makespan/base/number_map.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <memory>
#include <random>

namespace makespan {
namespace {

TEST(NumberMap, without_entries_has_no_memory) {
  NumberMap<double> map;

  EXPECT_TRUE(map.empty());
  EXPECT_EQ(map.bytes(), 0U);
  EXPECT_EQ(map.find(3), nullptr);
  EXPECT_FALSE(map.erase(3));
  EXPECT_EQ(map.bytes(), 0U) << "to look leaves nothing";
}

TEST(NumberMap, has_what_a_map_has) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    NumberMap<int> map;
    std::map<int, int> expected;
    // Rising by this, keys of one seed fall onto few slots, of another far apart.
    int const step = seed % 2 == 0 ? 1 : 1 << 20;
    for (int change = 0; change < 3000; ++change) {
      int const key = static_cast<int>(random() % 200) * step;
      if (random() % 2 == 0) {
        map[key] = change;
        expected[key] = change;
      } else {
        ASSERT_EQ(map.erase(key), expected.erase(key) == 1);
      }
      ASSERT_EQ(map.size(), expected.size());
      int const other = static_cast<int>(random() % 200) * step;
      auto const there = expected.find(other);
      int const* const found = map.find(other);
      ASSERT_EQ(found != nullptr, there != expected.end());
      if (found != nullptr) {
        ASSERT_EQ(*found, there->second);
      }
    }
    std::map<int, int> all;
    map.for_each([&](int key, int value) { all[key] = value; });
    EXPECT_EQ(all, expected);
  }
}

// Otherwise each of them would be compared with all others: some minutes.
TEST(NumberMap, is_as_fast_for_numbers_that_share_low_bits) {
  constexpr int count = 1 << 17;
  NumberMap<int> strided;
  for (int key = 0; key < count; ++key) strided[key << 13] = key;
  EXPECT_EQ(strided.size(), std::size_t{count});

  NumberMap<int> two_runs;
  for (int key = 0; key < count; ++key) two_runs[key] = two_runs[(1 << 30) + key] = key;
  EXPECT_EQ(two_runs.size(), std::size_t{2 * count});
}

// An entry that comes and goes leaves a slot that is used again.
TEST(NumberMap, does_not_grow_by_entries_that_come_and_go) {
  NumberMap<int> map;
  for (int key = 0; key < 3; ++key) map[key] = key;
  for (int key = 3; key < 100'000; ++key) {
    map[key] = key;
    map.erase(key);
  }

  EXPECT_LE(map.bytes(), 16 * 2 * sizeof(int));
  EXPECT_EQ(*map.find(2), 2);
}

TEST(NumberMap, takes_the_least_and_the_greatest_number) {
  NumberMap<int> map;
  constexpr int greatest = std::numeric_limits<int>::max();
  map[greatest] = 1;
  map[0] = 2;

  EXPECT_EQ(*map.find(greatest), 1);
  EXPECT_EQ(*map.find(0), 2);
  EXPECT_EQ(map.find(1), nullptr);
}

TEST(NumberMap, lets_go_of_what_is_removed) {
  NumberMap<std::shared_ptr<int>> map;
  auto const value = std::make_shared<int>(5);
  for (int key = 0; key < 20; ++key) map[key] = value;
  EXPECT_EQ(value.use_count(), 21);

  for (int key = 0; key < 20; key += 2) map.erase(key);
  EXPECT_EQ(value.use_count(), 11);
  map.clear();
  EXPECT_EQ(value.use_count(), 1);
}

}  // namespace
}  // namespace makespan

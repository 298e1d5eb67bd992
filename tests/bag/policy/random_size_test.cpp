// SPDX-License-Identifier: Apache-2.0
// Goal: sizes fill their range, and repeat for the same seed and claim. Method: many claims.
#include "makespan/bag/policy/random_size.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "drain.hpp"
#include "makespan/base/error.hpp"

namespace makespan::bag {
namespace {

constexpr LoopFacts loop{.items = 100'000, .work = Work{100'000}, .workers = 5};

std::vector<std::int64_t> sizes(RandomSizePolicy const& policy, std::int64_t claims) {
  std::vector<std::int64_t> chunks;
  for (std::int64_t step = 0; step < claims; ++step) chunks.push_back(policy.chunk_at(loop, step));
  return chunks;
}

TEST(RandomSize, lies_between_a_hundredth_and_half_of_an_even_share) {
  auto const chunks = sizes(RandomSizePolicy{OptionValues{}}, 10'000);

  // 200 to 10 000. The smallest of 10 000 draws is below 200 + 98 with probability 1 - exp(-100).
  auto const [smallest, largest] = std::ranges::minmax(chunks);
  EXPECT_GE(smallest, 200);
  EXPECT_LT(smallest, 298);
  EXPECT_LE(largest, 10'000);
  EXPECT_GT(largest, 9'902);
}

TEST(RandomSize, takes_each_size_of_a_small_range_equally_often) {
  auto const chunks =
      sizes(RandomSizePolicy{OptionValues{{"chunk_items_min", 3}, {"chunk_items_max", 6}}}, 40'000);

  // Standard deviation of a count: sqrt(40 000 * 1/4 * 3/4) = 87.
  for (std::int64_t const size : {3, 4, 5, 6})
    EXPECT_NEAR(static_cast<double>(std::ranges::count(chunks, size)), 10'000.0, 5 * 87.0) << size;
}

TEST(RandomSize, repeats_for_the_same_seed_only) {
  auto const first = sizes(RandomSizePolicy{OptionValues{{"seed", 7}}}, 100);

  EXPECT_EQ(sizes(RandomSizePolicy{OptionValues{{"seed", 7}}}, 100), first);
  EXPECT_NE(sizes(RandomSizePolicy{OptionValues{{"seed", 8}}}, 100), first);
}

TEST(RandomSize, lets_the_smallest_outweigh_the_largest) {
  RandomSizePolicy const policy{OptionValues{{"chunk_items_min", 9}, {"chunk_items_max", 6}}};

  EXPECT_EQ(policy.chunk_at(loop, 0), 9);
}

TEST(RandomSize, rejects_a_negative_seed) {
  EXPECT_THROW(RandomSizePolicy{OptionValues({{"seed", -1.0}})}, InputError);
}

}  // namespace
}  // namespace makespan::bag

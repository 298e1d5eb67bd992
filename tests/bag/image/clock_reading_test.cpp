// SPDX-License-Identifier: Apache-2.0
// Goal: how long ago something began is the same whichever image's clock it was read on. Method: by
// hand, with clocks that are seconds apart.
#include "makespan/bag/image/detail/clock_reading.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace makespan::bag {
namespace {

constexpr std::int64_t second = 1'000'000'000;

// Of a piece that began 2 s ago, when image 0's clock said 100 s.
std::int64_t since(std::int64_t there_ahead, std::int64_t here_ahead) {
  return ticks_since({.ticks = 100 * second + there_ahead, .ahead = there_ahead},
                     {.ticks = 102 * second + here_ahead, .ahead = here_ahead});
}

TEST(TicksSince, are_the_same_by_any_two_clocks) {
  for (std::int64_t const there : {-5, 0, 5}) {
    for (std::int64_t const here : {-5, 0, 5}) {
      EXPECT_EQ(since(there * second, here * second), 2 * second) << there << ' ' << here;
    }
  }
}

TEST(TicksSince, are_none_of_what_seems_to_begin_later) {
  EXPECT_EQ(ticks_since({.ticks = 100}, {.ticks = 99}), 0);
  EXPECT_EQ(ticks_since({.ticks = 100, .ahead = 5}, {.ticks = 100, .ahead = 7}), 0);
}

TEST(Clocks, do_not_say_what_would_overflow) {
  EXPECT_TRUE(is_clock(0));
  EXPECT_TRUE(is_clock(25 * 365 * 86400 * second));
  EXPECT_FALSE(is_clock(std::numeric_limits<std::int64_t>::min()));
  EXPECT_FALSE(is_clock(std::numeric_limits<std::int64_t>::max()));
}

// UBSan says so where it overflows.
TEST(TicksSince, take_any_number) {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  static_assert(ticks_since({.ticks = least, .ahead = most}, {.ticks = most, .ahead = least}) >= 0);
  EXPECT_GE(ticks_since({.ticks = most, .ahead = least}, {.ticks = 0}), 0);
}

}  // namespace
}  // namespace makespan::bag

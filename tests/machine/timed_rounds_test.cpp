// SPDX-License-Identifier: Apache-2.0
#include "makespan/machine/detail/timed_rounds.hpp"

#include <gtest/gtest.h>

#include <array>

namespace makespan::machine {
namespace {

TEST(TimedRounds, keeps_the_shortest) {
  constexpr std::array times{5.0, 3.0, 4.0};
  std::size_t round = 0;

  EXPECT_EQ(shortest_round(Seconds{}, 3, [&] { return Seconds{times.at(round++)}; }), Seconds{3.0});
  EXPECT_EQ(round, 3U);
}

TEST(TimedRounds, goes_on_while_there_is_time) {
  int rounds = 0;

  static_cast<void>(shortest_round(Seconds{0.02}, 1, [&] {
    ++rounds;
    return Seconds{1.0};
  }));

  EXPECT_GT(rounds, 1);
}

TEST(TimedRounds, ends_with_a_round_that_was_given_up) {
  constexpr std::array times{5.0, 0.0};
  std::size_t round = 0;

  EXPECT_EQ(shortest_round(Seconds{10.0}, 9, [&] { return Seconds{times.at(round++)}; }),
            Seconds{5.0});
  EXPECT_EQ(round, 2U);
}

}  // namespace
}  // namespace makespan::machine

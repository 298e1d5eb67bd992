// SPDX-License-Identifier: Apache-2.0
// Goal: a round meets every other thread once, beginnings are even, and thieves go different ways.
// Method: rounds are values.
#include "makespan/pgas/task/victims.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace makespan::pgas {
namespace {

std::vector<int> victims_of(VictimRound const& round) {
  std::vector<int> victims;
  for (int index = 0; index < round.count(); ++index) victims.push_back(round.victim(index));
  return victims;
}

TEST(Victims, meet_every_other_thread_once_in_each_round) {
  for (int threads = 1; threads <= 9; ++threads) {
    for (int thief = 0; thief < threads; ++thief) {
      std::vector<int> others(static_cast<std::size_t>(threads));
      std::iota(others.begin(), others.end(), 0);
      std::erase(others, thief);
      Victims victims(thief, threads, 1);
      for (int round = 0; round < 20; ++round) {
        std::vector<int> met = victims_of(victims.next_round());
        std::ranges::sort(met);

        EXPECT_EQ(met, others);
      }
    }
  }
}

TEST(Victims, go_on_with_the_next_thread) {
  EXPECT_EQ(victims_of(VictimRound(1, 5, 0)), (std::vector{2, 3, 4, 0}));
  EXPECT_EQ(victims_of(VictimRound(1, 5, 2)), (std::vector{4, 0, 2, 3}));
}

TEST(Victims, begin_anywhere_about_as_often) {
  constexpr int threads = 5;
  constexpr int rounds = 40'000;
  Victims victims(2, threads, 7);
  std::vector<int> begins(threads);
  for (int round = 0; round < rounds; ++round) {
    ++begins[static_cast<std::size_t>(victims.next_round().victim(0))];
  }

  // Binomial with p = 1/4: 5 standard deviations are 433.
  for (int const victim : {0, 1, 3, 4}) {
    EXPECT_NEAR(begins[static_cast<std::size_t>(victim)], rounds / 4, 433);
  }
  EXPECT_EQ(begins[2], 0);
}

TEST(Victims, are_the_same_for_the_same_seed_and_others_for_another_thief) {
  auto const begins = [](int thief) {
    Victims victims(thief, 100, 3);
    std::vector<int> distances;
    for (int round = 0; round < 10; ++round) {
      distances.push_back((victims.next_round().victim(0) + 100 - thief) % 100);
    }
    return distances;
  };

  EXPECT_EQ(begins(4), begins(4));
  EXPECT_NE(begins(4), begins(5));
}

TEST(Victims, can_be_chosen_at_compile_time) {
  constexpr int first = [] {
    Victims victims(0, 2, 1);
    return victims.next_round().victim(0);
  }();

  static_assert(first == 1);
}

}  // namespace
}  // namespace makespan::pgas

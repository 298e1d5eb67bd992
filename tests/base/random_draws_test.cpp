// SPDX-License-Identifier: Apache-2.0
// Goal: draws repeat, are uniform, and differ between seeds. Method: splitmix64's published outputs
// for the hash; counts in bins.
#include "makespan/base/random_draws.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace makespan {
namespace {

TEST(RandomDraws, are_splitmix64s) {
  // splitmix64 from state 0 begins 0xe220a8397b1dcdaf; seed 0 draws from that state on, so that
  // its number 0 is the finaliser of 0xe220a8397b1dcdaf.
  std::uint64_t bits = 0xe220a8397b1dcdafU;
  bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
  bits ^= bits >> 31U;

  EXPECT_EQ(RandomDraws(0).at(0), static_cast<double>(bits >> 11U) * 0x1p-53);
}

TEST(RandomDraws, follow_one_another_by_number) {
  RandomDraws draws(5);
  for (int step = 0; step < 10; ++step) EXPECT_EQ(draws.next(), RandomDraws(5).at(step));
  EXPECT_NE(RandomDraws(5).at(0), RandomDraws(6).at(0));
}

TEST(RandomDraws, fall_evenly_on_what_there_is) {
  constexpr int bins = 7;
  constexpr int draws_each = 10'000;
  std::array<int, bins> count{};
  RandomDraws draws(1);
  for (int i = 0; i < bins * draws_each; ++i)
    ++count.at(static_cast<std::size_t>(draws.below(bins)));

  // Five standard deviations of a binomial count.
  for (int const here : count) EXPECT_NEAR(here, draws_each, 5 * 93);
  EXPECT_EQ(draws.below(1), 0);
}

}  // namespace
}  // namespace makespan

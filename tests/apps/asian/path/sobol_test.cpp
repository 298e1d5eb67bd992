// SPDX-License-Identifier: Apache-2.0
// Goal: the direction numbers make the Sobol sequence. Method: first points as S. Joe and F. Y. Kuo
// print them; each block of 2^m points has one in each interval of 2^-m, in every dimension;
// and in each box of two or three of the first.
#include "makespan/apps/asian/path/sobol.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace makespan::asian {
namespace {

std::uint32_t reversed(std::uint32_t x) {
  std::uint32_t out = 0;
  for (int bit = 0; bit < 32; ++bit) out |= ((x >> bit) & 1U) << (31 - bit);
  return out;
}

// The coordinate's 32 bits, most significant first.
std::uint32_t coordinate(std::uint32_t index, std::size_t dimension) {
  std::uint32_t x = 0;
  for (std::size_t bit = 0; bit < 32; ++bit) {
    if ((index >> bit & 1U) != 0) x ^= sobol_directions()[bit][dimension];
  }
  return reversed(x);
}

TEST(Sobol, begins_with_the_points_that_Joe_and_Kuo_print) {
  // https://web.maths.unsw.edu.au/~fkuo/sobol/, "the first 10 points in 3 dimensions". Their
  // order is that of the Gray code of the index.
  double const points[10][3] = {{0, 0, 0},
                                {0.5, 0.5, 0.5},
                                {0.75, 0.25, 0.25},
                                {0.25, 0.75, 0.75},
                                {0.375, 0.375, 0.625},
                                {0.875, 0.875, 0.125},
                                {0.625, 0.125, 0.875},
                                {0.125, 0.625, 0.375},
                                {0.1875, 0.3125, 0.9375},
                                {0.6875, 0.8125, 0.4375}};
  for (std::uint32_t i = 0; i < 10; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(coordinate(i ^ (i >> 1), k) * 0x1p-32, points[i][k]) << i << ' ' << k;
    }
  }
}

TEST(Sobol, has_directions_for_every_dimension_and_bit) {
  auto const directions = sobol_directions();

  ASSERT_EQ(directions.size(), 32U);
  for (std::size_t bit = 0; bit < 32; ++bit) {
    for (std::int32_t k = 0; k < sobol_dimensions; ++k) {
      // Bit-reversed, number j ends with its one at place j: the matrix is triangular and regular.
      EXPECT_EQ(directions[bit][k] >> bit, 1U) << bit << ' ' << k;
    }
  }
}

TEST(Sobol, has_one_point_in_each_interval_of_any_block) {
  constexpr int bits = 8;
  for (std::size_t k = 0; k < sobol_dimensions; k += k < 64 ? 1 : 61) {
    for (std::uint32_t const first : {0U, 256U, 768U, 0xffffff00U}) {
      std::vector<int> count(1 << bits);
      for (std::uint32_t i = 0; i < count.size(); ++i)
        ++count[coordinate(first + i, k) >> (32 - bits)];
      EXPECT_EQ(count, std::vector<int>(1 << bits, 1)) << k << ' ' << first;
    }
  }
}

TEST(Sobol, has_one_point_in_each_box_of_its_first_two_dimensions) {
  // A (0, 2)-sequence: any shape of 2^-8 area has one of 2^8 points.
  for (std::uint32_t across = 0; across <= 8; ++across) {
    std::vector<int> count(256);
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t const x = across == 0 ? 0 : coordinate(512 + i, 0) >> (32 - across);
      std::uint32_t const y = across == 8 ? 0 : coordinate(512 + i, 1) >> (24 + across);
      ++count[(x << (8 - across)) + y];
    }
    EXPECT_EQ(count, std::vector<int>(256, 1)) << across;
  }
}

}  // namespace
}  // namespace makespan::asian

// SPDX-License-Identifier: Apache-2.0
// Goal: loadings make the matrix again, the largest component first, and tell whether it is a
// correlation. Method: matrices whose components are known, and products.
#include "makespan/apps/asian/contract/detail/principal_components.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace makespan::asian {
namespace {

double entry(PrincipalComponents const& components, std::size_t i, std::size_t k) {
  auto const factors = static_cast<std::size_t>(components.factors);
  double sum = 0;
  for (std::size_t f = 0; f < factors; ++f) {
    sum += components.loading[i * factors + f] * components.loading[k * factors + f];
  }
  return sum;
}

double square(std::vector<double> const& root, std::size_t size, std::size_t i, std::size_t k) {
  double sum = 0;
  for (std::size_t f = 0; f < size; ++f) sum += root[i * size + f] * root[f * size + k];
  return sum;
}

double variance(PrincipalComponents const& components, std::size_t size, std::size_t factor) {
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    double const one =
        components.loading[i * static_cast<std::size_t>(components.factors) + factor];
    sum += one * one;
  }
  return sum;
}

// Correlations that fall with the distance of two places on a line.
std::vector<double> decaying(std::size_t size) {
  std::vector<double> matrix(size * size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t k = 0; k < size; ++k) {
      double const distance = i > k ? static_cast<double>(i - k) : static_cast<double>(k - i);
      matrix[i * size + k] = i == k ? 1 : std::exp(-0.3 * distance);
    }
  }
  return matrix;
}

// All correlations alike: components but the first are any of a space.
TEST(PrincipalComponents, have_a_root_that_moves_as_little_as_the_matrix) {
  constexpr std::size_t size = 5;
  std::vector<double> matrix(size * size, 0.5);
  for (std::size_t i = 0; i < size; ++i) matrix[i * size + i] = 1;
  auto const before = principal_components(matrix, size).root;
  matrix[1] = matrix[size] = 0.501;
  auto const after = principal_components(matrix, size).root;

  for (std::size_t i = 0; i < size * size; ++i) EXPECT_NEAR(after[i], before[i], 1e-3) << i;
}

TEST(PrincipalComponents, make_the_matrix_again_the_largest_first) {
  for (std::size_t const size : {1U, 2U, 3U, 5U, 17U, 64U}) {
    auto const matrix = decaying(size);
    auto const components = principal_components(matrix, size);
    ASSERT_TRUE(components.is_positive);
    ASSERT_EQ(components.factors, static_cast<int>(size));
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t k = 0; k < size; ++k) {
        EXPECT_NEAR(entry(components, i, k), matrix[i * size + k], 1e-13) << size;
        EXPECT_NEAR(square(components.root, size, i, k), matrix[i * size + k], 1e-13) << size;
        EXPECT_NEAR(components.root[i * size + k], components.root[k * size + i], 1e-14) << size;
      }
      if (i > 0) {
        EXPECT_LE(variance(components, size, i), variance(components, size, i - 1) + 1e-13);
      }
    }
  }
}

TEST(PrincipalComponents, of_two_are_their_sum_and_difference) {
  auto const components = principal_components(std::vector<double>{1, 0.6, 0.6, 1}, 2);
  EXPECT_NEAR(components.loading[0], std::sqrt(0.8), 1e-15);
  EXPECT_NEAR(components.loading[2], std::sqrt(0.8), 1e-15);
  EXPECT_NEAR(components.loading[1], std::sqrt(0.2), 1e-15);
  EXPECT_NEAR(components.loading[3], -std::sqrt(0.2), 1e-15);
}

TEST(PrincipalComponents, leave_out_those_without_variance) {
  auto const one = principal_components(std::vector<double>(9, 1.0), 3);
  EXPECT_EQ(one.factors, 1);
  EXPECT_TRUE(one.is_positive);
  for (double const loading : one.loading) EXPECT_NEAR(loading, 1, 1e-14);
  // Three that sum to nothing.
  auto const two =
      principal_components(std::vector<double>{1, -.5, -.5, -.5, 1, -.5, -.5, -.5, 1}, 3);
  EXPECT_EQ(two.factors, 2);
  EXPECT_TRUE(two.is_positive);
}

TEST(PrincipalComponents, tell_that_a_matrix_is_no_correlation) {
  EXPECT_FALSE(
      principal_components(std::vector<double>{1, .9, .9, .9, 1, -.4, .9, -.4, 1}, 3).is_positive);
  // To the digits that a table has.
  EXPECT_TRUE(
      principal_components(std::vector<double>{1, 1.0000000005, 1.0000000005, 1}, 2).is_positive);
}

}  // namespace
}  // namespace makespan::asian

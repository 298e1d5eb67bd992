// SPDX-License-Identifier: Apache-2.0
// Goal: the table is that of new-joe-kuo-6, and whole. Method: its first lines as printed; every
// polynomial is primitive, no two are alike, every initial number is odd and small enough.
#include "makespan/apps/asian/path/detail/joe_kuo.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "makespan/apps/asian/path/sobol.hpp"

namespace makespan::asian {
namespace {

struct Line {
  std::int32_t dimension;  // as in the file, from 1
  unsigned degree;
  std::uint32_t coefficients;
  std::vector<std::uint32_t> initial;
};

TEST(JoeKuo, begins_as_the_file_does) {
  for (auto const& [dimension, degree, coefficients, initial] :
       {Line{2, 1, 0, {1}}, Line{3, 2, 1, {1, 3}}, Line{4, 3, 1, {1, 3, 1}},
        Line{5, 3, 2, {1, 1, 1}}, Line{6, 4, 1, {1, 1, 3, 3}}, Line{7, 4, 4, {1, 3, 5, 13}},
        Line{8, 5, 2, {1, 1, 5, 5, 17}}, Line{9, 5, 4, {1, 1, 5, 5, 5}},
        Line{10, 5, 7, {1, 1, 7, 11, 19}}}) {
    JoeKuoRow const row = joe_kuo_row(dimension - 1);
    EXPECT_EQ(row.degree, degree) << dimension;
    EXPECT_EQ(row.coefficients, coefficients) << dimension;
    EXPECT_EQ(std::vector(row.initial, row.initial + degree), initial) << dimension;
  }
  EXPECT_EQ(joe_kuo_row(0).degree, 0);
}

// The polynomial's bits, highest power first.
std::uint64_t polynomial_of(JoeKuoRow const& row) {
  return (std::uint64_t{1} << row.degree) | (std::uint64_t{row.coefficients} << 1) | 1U;
}

// a b modulo the polynomial, over two elements.
std::uint64_t product(std::uint64_t a, std::uint64_t b, std::uint64_t polynomial, unsigned degree) {
  std::uint64_t result = 0;
  for (; b != 0; b >>= 1) {
    if ((b & 1U) != 0) result ^= a;
    a <<= 1;
    if ((a >> degree & 1U) != 0) a ^= polynomial;
  }
  return result;
}

std::uint64_t power_of_x(std::uint64_t exponent, std::uint64_t polynomial, unsigned degree) {
  std::uint64_t result = 1;
  std::uint64_t base = degree == 1 ? 2 ^ polynomial : 2;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1U) != 0) result = product(result, base, polynomial, degree);
    base = product(base, base, polynomial, degree);
  }
  return result;
}

std::vector<std::uint64_t> prime_factors(std::uint64_t n) {
  std::vector<std::uint64_t> factors;
  for (std::uint64_t p = 2; p * p <= n; ++p) {
    if (n % p == 0) factors.push_back(p);
    while (n % p == 0) n /= p;
  }
  if (n > 1) factors.push_back(n);
  return factors;
}

TEST(JoeKuo, has_primitive_polynomials_only) {
  for (std::int32_t k = 1; k < sobol_dimensions; ++k) {
    JoeKuoRow const row = joe_kuo_row(k);
    std::uint64_t const polynomial = polynomial_of(row);
    std::uint64_t const order = (std::uint64_t{1} << row.degree) - 1;
    EXPECT_EQ(power_of_x(order, polynomial, row.degree), 1U) << k;
    for (std::uint64_t const factor : prime_factors(order)) {
      if (factor == order) continue;  // x itself is not 1
      EXPECT_NE(power_of_x(order / factor, polynomial, row.degree), 1U) << k;
    }
  }
}

TEST(JoeKuo, has_each_polynomial_once_by_degree) {
  std::set<std::uint64_t> seen;
  unsigned degree = 0;
  for (std::int32_t k = 1; k < sobol_dimensions; ++k) {
    JoeKuoRow const row = joe_kuo_row(k);
    EXPECT_TRUE(seen.insert(polynomial_of(row)).second) << k;
    EXPECT_GE(row.degree, degree) << k;
    degree = row.degree;
  }
}

TEST(JoeKuo, has_odd_initial_numbers_below_their_powers_of_two) {
  for (std::int32_t k = 1; k < sobol_dimensions; ++k) {
    JoeKuoRow const row = joe_kuo_row(k);
    for (unsigned i = 0; i < row.degree; ++i) {
      EXPECT_EQ(row.initial[i] % 2, 1U) << k;
      EXPECT_LT(row.initial[i], 2U << i) << k;
    }
  }
}

}  // namespace
}  // namespace makespan::asian

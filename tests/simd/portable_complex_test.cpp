// SPDX-License-Identifier: Apache-2.0
// Goal: complex functions are those of the C library to rounding, in all quadrants. Method: both at
// points on circles of many sizes; the library's are right to a few last places.
#include "makespan/simd/portable_complex.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace makespan::simd {
namespace {

template <class Check>
void at_points(Check const& check) {
  for (double const size : {1e-6, 0.03, 0.999, 1.0, 1.7, 25.0, 600.0}) {
    for (int i = -23; i <= 23; ++i) {
      double const angle = std::numbers::pi * i / 23.5;
      check(Complex{size * std::cos(angle), size * std::sin(angle)});
    }
  }
}

void expect_close(Complex ours, Complex theirs, Complex at) {
  EXPECT_LT(std::abs(ours - theirs), 2e-15 * (1e-2 + std::abs(theirs))) << at << ' ' << ours;
}

TEST(PortableComplex, multiplies_and_divides) {
  at_points([](Complex z) {
    Complex const other{0.7, -1.3};
    expect_close(product(z, other), z * other, z);
    expect_close(quotient(z, other), z / other, z);
    expect_close(quotient(other, z), other / z, z);
  });
}

TEST(PortableComplex, has_exponentials) {
  at_points([](Complex z) {
    if (std::abs(z) > 30) z /= 30;
    Complex const ours = portable_exp(z);
    EXPECT_LT(std::abs(ours - std::exp(z)), 4e-15 * (1 + std::abs(z)) * std::abs(ours)) << z;
  });
}

TEST(PortableComplex, has_logarithms_of_all_quadrants) {
  at_points([](Complex z) { expect_close(portable_log(z), std::log(z), z); });
  EXPECT_NEAR(portable_log(Complex{-2, 0}).imag(), std::numbers::pi, 1e-15);
  EXPECT_NEAR(portable_log(Complex{-2, -0.0}).imag(), -std::numbers::pi, 1e-15);
  EXPECT_NEAR(portable_log(Complex{0, 3}).imag(), std::numbers::pi / 2, 1e-15);
  EXPECT_EQ(portable_log(Complex{1, 0}), Complex(0, 0));
}

TEST(PortableComplex, has_roots_to_the_right) {
  at_points([](Complex z) {
    expect_close(portable_sqrt(z), std::sqrt(z), z);
    EXPECT_GE(portable_sqrt(z).real(), 0);
  });
  EXPECT_EQ(portable_sqrt(Complex{0, 0}), Complex(0, 0));
  EXPECT_EQ(portable_sqrt(Complex{-4, 0}), Complex(0, 2));
}

}  // namespace
}  // namespace makespan::simd

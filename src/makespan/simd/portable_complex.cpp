// SPDX-License-Identifier: Apache-2.0
#include "makespan/simd/portable_complex.hpp"

#include <cmath>
#include <numbers>

#include "makespan/simd/one_lane.hpp"
// (before the bodies: it says what they are written in)
#include "makespan/simd/math-inl.hpp"
#include "makespan/simd/portable_math.hpp"

namespace makespan::simd {

namespace {

// atan x for |x| <= 1: halved three times, then its series.
double arc_tangent(double x) {
  // atan x = 2 atan(x / (1 + sqrt(1 + x^2))).
  constexpr int halvings = 3;
  for (int i = 0; i < halvings; ++i) x = x / (1 + std::sqrt(1 + x * x));
  double const x2 = x * x;  // at most 0.0098
  double sum = 0;
  // The first term that is left out, x^18 / 19, is below 1e-19.
  for (int k = 17; k >= 3; k -= 2) sum = (1.0 / k - sum) * x2;
  return 8 * (x - x * sum);
}

double angle(Complex z) {
  double const x = z.real();
  double const y = z.imag();
  constexpr double half_turn = std::numbers::pi;
  // The smaller over the larger, as arc_tangent() needs it. The sign of a zero counts: it says on
  // which side of the cut along the negative axis z is.
  if (std::fabs(y) <= std::fabs(x)) {
    double const near = arc_tangent(y / x);
    return x > 0 ? near : near + (std::signbit(y) ? -half_turn : half_turn);
  }
  double const near = arc_tangent(x / y);
  return (y > 0 ? half_turn : -half_turn) / 2 - near;
}

}  // namespace

Complex portable_exp(Complex z) {
  double const size = portable_exp(z.real());
  // Whole half circles are taken off first: SinPi and CosPi are for |u| <= 1/2.
  double const turns = z.imag() / std::numbers::pi;  // of half a circle
  double const whole = std::floor(turns + 0.5);
  double const rest = turns - whole;
  double const sign = std::fmod(whole, 2) == 0 ? 1 : -1;
  return {sign * size * one_lane::CosPi(one_lane::F64(), rest),
          sign * size * one_lane::SinPi(one_lane::F64(), rest)};
}

Complex portable_log(Complex z) {
  double const square = z.real() * z.real() + z.imag() * z.imag();
  return {0.5 * portable_log(square), angle(z)};
}

Complex portable_sqrt(Complex z) {
  double const size = std::sqrt(z.real() * z.real() + z.imag() * z.imag());
  double const root = std::sqrt(0.5 * (size + std::fabs(z.real())));
  if (root == 0) return {0, 0};
  // The larger part by the root, the smaller one by a quotient: a difference would cancel.
  double const other = 0.5 * std::fabs(z.imag()) / root;
  bool const is_right = z.real() >= 0;
  double const imaginary = is_right ? other : root;
  return {is_right ? root : other, std::signbit(z.imag()) ? -imaginary : imaginary};
}

}  // namespace makespan::simd

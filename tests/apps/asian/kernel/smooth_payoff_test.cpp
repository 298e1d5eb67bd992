// SPDX-License-Identifier: Apache-2.0
// Goal: the integral along the direction is that of the payoff, from sums of powers that a path
// leaves. Method: a path of a few prices with directions of their own, the same integral by
// quadrature over the normal with each price evaluated by itself.
#include "makespan/simd/one_lane.hpp"
// (before the bodies: it says what they are written in)
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "makespan/apps/asian/kernel/detail/smooth_payoff-inl.hpp"

namespace makespan::asian {
namespace {

struct PricePart {
  double value;      // of the path, with its weight
  double direction;  // a
};

// The path's own normal along the direction.
constexpr double own_normal = 0.8;

struct Known {
  CommonTerms common{};
  ArithmeticTerms terms{};
  SmoothTerms smooth{};
  double powers[smooth_terms]{};
};

Known known_of(std::vector<PricePart> const& parts, double side, double level, double constant) {
  Known known;
  known.common.side = side;
  known.terms.level = level;
  known.terms.constant = constant;
  known.terms.gamma_scale = level * level;
  double low = parts[0].direction;
  double high = parts[0].direction;
  for (PricePart const& part : parts) {
    low = std::min(low, part.direction);
    high = std::max(high, part.direction);
  }
  known.smooth = {true, 0.5 * (low + high), 0.5 * (high - low), 0};
  for (PricePart const& part : parts) {
    double const half = known.smooth.half;
    double const place = half > 0 ? (part.direction - known.smooth.centre) / half : 0;
    double power = part.value;
    for (double& sum : known.powers) {
      sum += power;
      power *= place;
    }
  }
  return known;
}

double sum_at(std::vector<PricePart> const& parts, double x) {
  double sum = 0;
  for (PricePart const& part : parts) {
    sum += part.value * std::exp(part.direction * (x - own_normal));
  }
  return sum;
}

double root_of(std::vector<PricePart> const& parts, double level) {
  double low = -40;
  double high = 40;
  for (int i = 0; i < 200; ++i) {
    double const middle = 0.5 * (low + high);
    (sum_at(parts, middle) < level ? low : high) = middle;
  }
  return low;
}

// Trapezoids from the root on.
template <class Of>
double integral(double side, double root, Of const& of) {
  constexpr int points = 200'000;
  double const from = side > 0 ? root : -14;
  double const to = side > 0 ? 14 : root;
  if (from >= to) return 0;
  double const h = (to - from) / points;
  double sum = 0;
  for (int i = 0; i <= points; ++i) {
    double const x = from + h * i;
    double const ends = i == 0 || i == points ? 0.5 : 1;
    sum += ends * of(x) * std::exp(-0.5 * x * x);
  }
  return sum * h / std::sqrt(2 * 3.14159265358979323846);
}

TEST(SmoothPayoff, is_the_integral_along_the_direction) {
  std::vector<std::vector<PricePart>> const paths{
      {{0.2, 0.05}, {0.25, 0.15}, {0.3, 0.2}, {0.28, 0.3}},
      {{1, 0.2}},                               // one direction: no range
      {{0.5, 0.1}, {0.9, 0.6}},                 // half the range: 0.25
      {{1.2, 0.3}, {-0.3, -0.1}, {0.1, 0.02}},  // a weight below 0 that falls
      {{0.3, 0.0}, {0.3, 0.4}, {0.4, 0.8}}};    // half the range: 0.4
  for (auto const& parts : paths) {
    for (double const side : {1.0, -1.0}) {
      for (double const share : {0.7, 1.0, 1.4}) {
        for (double const constant : {0.0, 0.1}) {
          double const level = share * (sum_at(parts, 0) + constant);
          Known const known = known_of(parts, side, level, constant);
          auto const ours = one_lane::SmoothPrice<true>(known.common, known.terms, known.smooth,
                                                        known.powers, own_normal);
          double const root = root_of(parts, level - constant);
          auto const at = [&](double x) { return sum_at(parts, x) + constant; };
          double const price =
              integral(side, root, [&](double x) { return side * (at(x) - level); });
          double const delta = integral(side, root, [&](double x) { return side * at(x); });
          double const average = integral(1, -14, at);
          double const h = 1e-5;
          double const slope = (at(root + h) - at(root - h)) / (2 * h);
          double const density =
              std::exp(-0.5 * root * root) / std::sqrt(2 * 3.14159265358979323846) / slope;
          EXPECT_NEAR(ours.price, price, 3e-8) << parts.size() << ' ' << side << ' ' << share;
          EXPECT_NEAR(ours.delta, delta, 3e-7);
          EXPECT_NEAR(ours.average, average, 3e-8);
          EXPECT_NEAR(ours.gamma, level * level * density, 1e-5 * level * level * density + 1e-9);
        }
      }
    }
  }
}

// Exercise that is all but certain, or all but impossible, has a root far away.
TEST(SmoothPayoff, has_limits) {
  std::vector<PricePart> const parts{{0.5, 0.1}, {0.5, 0.2}};
  Known const certain = known_of(parts, 1, 0.001, 0);
  auto const all = one_lane::SmoothPrice<true>(certain.common, certain.terms, certain.smooth,
                                               certain.powers, own_normal);
  EXPECT_NEAR(all.price, all.average - 0.001, 1e-12);
  Known const never = known_of(parts, 1, 1000, 0);
  auto const none = one_lane::SmoothPrice<true>(never.common, never.terms, never.smooth,
                                                never.powers, own_normal);
  EXPECT_NEAR(none.price, 0, 1e-12);
}

}  // namespace
}  // namespace makespan::asian

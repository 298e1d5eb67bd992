// SPDX-License-Identifier: Apache-2.0
// Goal: the elementary functions have the accuracy that math-inl.hpp states, and the same bits on
// every instruction set. Method: random arguments over the whole range and its ends, against the
// math library in long double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "simd/random_words.hpp"
#include "test_size.hpp"

namespace makespan::simd {
namespace {

auto const batches = static_cast<std::uint64_t>(drawn(64));

template <class T>
std::vector<T> uniform(std::uint64_t seed, double low, double high) {
  std::vector<T> values(batch);
  auto const words = random_words<std::uint64_t>(seed);
  for (std::size_t i = 0; i < batch; ++i) {
    values[i] =
        static_cast<T>(low + (high - low) * (static_cast<double>(words[i] >> 11) * 0x1p-53));
  }
  values[0] = static_cast<T>(low);
  values[batch - 1] = static_cast<T>(high);
  return values;
}

// 10^u for uniform u.
std::vector<double> over_decades(std::uint64_t seed, double low, double high) {
  std::vector<double> values = uniform<double>(seed, low, high);
  for (double& value : values) value = std::pow(10.0, value);
  return values;
}

template <class T>
using Member = MapAll<T, T> Bodies::*;

// The results, after making sure that they have the same bits everywhere.
template <class T>
std::vector<T> results_of(Member<T> function, std::vector<T> const& x) {
  std::vector<T> expected(x.size());
  (all_bodies().back().*function)(x, expected.data());
  for (Bodies const& bodies : all_bodies()) {
    std::vector<T> results(x.size());
    (bodies.*function)(x, results.data());
    EXPECT_TRUE(same_bits(results, expected)) << bodies.isa;
  }
  return expected;
}

using Reference = long double (*)(long double);

template <class T>
double relative_error(Member<T> function, Reference reference, std::vector<T> const& x) {
  auto const results = results_of(function, x);
  long double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    long double const truth = reference(x[i]);
    worst = std::max(worst, std::fabs((results[i] - truth) / truth));
  }
  return static_cast<double>(worst);
}

double absolute_error(Member<double> function, Reference reference, std::vector<double> const& x) {
  auto const results = results_of(function, x);
  long double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    worst = std::max(worst, std::fabs(results[i] - reference(x[i])));
  }
  return static_cast<double>(worst);
}

long double exp_of(long double x) {
  return std::exp(x);
}
long double log_of(long double x) {
  return std::log(x);
}
long double sin_pi_of(long double u) {
  return std::sin(std::numbers::pi_v<long double> * u);
}
long double cos_pi_of(long double u) {
  return std::cos(std::numbers::pi_v<long double> * u);
}
long double normal_cdf_of(long double x) {
  return 0.5L * std::erfc(-x / std::numbers::sqrt2_v<long double>);
}

// u · (high - low) + low, as a T.
template <class T>
std::vector<T> scaled(std::vector<double> const& u, double low, double high) {
  std::vector<T> values(u.size());
  std::ranges::transform(u, values.begin(),
                         [&](double x) { return static_cast<T>(low + (high - low) * x); });
  return values;
}

// 640 batches are above 10^7.
TEST(Math, has_the_same_bits_on_every_instruction_set) {
  for (std::uint64_t seed = 0; seed < 10 * batches; ++seed) {
    auto const unit = uniform<double>(seed, 0x1p-53, 1 - 0x1p-53);
    auto const half = scaled<double>(unit, -0.5, 0.5);
    static_cast<void>(results_of(&Bodies::exp_f32, scaled<float>(unit, -90, 90)));
    static_cast<void>(results_of(&Bodies::exp_f64, scaled<double>(unit, -710, 710)));
    static_cast<void>(results_of(&Bodies::log, unit));
    static_cast<void>(results_of(&Bodies::sin_pi, half));
    static_cast<void>(results_of(&Bodies::cos_pi, half));
    static_cast<void>(results_of(&Bodies::normal_cdf, scaled<double>(unit, -37, 9)));
    static_cast<void>(results_of(&Bodies::inverse_normal, unit));
  }
}

TEST(Math, Exp_in_single_is_as_accurate_as_stated) {
  for (std::uint64_t seed = 0; seed < batches; ++seed) {
    EXPECT_LT(relative_error(&Bodies::exp_f32, exp_of, uniform<float>(seed, -87, 87)), 1.2e-7);
    EXPECT_LT(relative_error(&Bodies::exp_f32, exp_of, uniform<float>(seed, -1, 1)), 1.2e-7);
  }
}

TEST(Math, Exp_in_double_is_as_accurate_as_stated) {
  for (std::uint64_t seed = 0; seed < batches; ++seed) {
    EXPECT_LT(relative_error(&Bodies::exp_f64, exp_of, uniform<double>(seed, -708, 708)), 2.3e-16);
    EXPECT_LT(relative_error(&Bodies::exp_f64, exp_of, uniform<double>(seed, -1, 1)), 2.3e-16);
  }
}

TEST(Math, Exp_clamps_what_is_out_of_range) {
  std::vector<double> const x{-1e300, -709, -708, 708, 709, 1e300, 0,  -0.0,
                              1e-300, 1,    -1,   2,   3,   4,     -5, 5};
  auto const results = results_of(&Bodies::exp_f64, x);

  EXPECT_EQ(results[0], results[2]);
  EXPECT_EQ(results[1], results[2]);
  EXPECT_EQ(results[4], results[3]);
  EXPECT_EQ(results[5], results[3]);
  EXPECT_EQ(results[6], 1.0);
  EXPECT_EQ(results[7], 1.0);
  EXPECT_EQ(results[8], 1.0);
  std::vector<float> const x_f32{-1e30F, -88, -87, 87, 88, 1e30F, 0, -0.0F, 1, 2, 3, 4, 5, 6, 7, 8};
  auto const results_f32 = results_of(&Bodies::exp_f32, x_f32);
  EXPECT_EQ(results_f32[0], results_f32[2]);
  EXPECT_EQ(results_f32[1], results_f32[2]);
  EXPECT_EQ(results_f32[4], results_f32[3]);
  EXPECT_EQ(results_f32[5], results_f32[3]);
  EXPECT_EQ(results_f32[6], 1.0F);
}

TEST(Math, Log_is_as_accurate_as_stated) {
  for (std::uint64_t seed = 0; seed < batches; ++seed) {
    EXPECT_LT(relative_error(&Bodies::log, log_of, over_decades(seed, -307, 308)), 3.5e-16);
    EXPECT_LT(relative_error(&Bodies::log, log_of, uniform<double>(seed, 1.5, 3)), 3.5e-16);
    EXPECT_LT(relative_error(&Bodies::log, log_of, uniform<double>(seed, 0.1, 0.75)), 3.5e-16);
    // ln 0.75 is 0.29: half an ulp of the result is 0.28e-16.
    EXPECT_LT(absolute_error(&Bodies::log, log_of, uniform<double>(seed, 0.8, 1.25)), 1e-16);
  }
}

TEST(Math, Log_of_one_is_zero_and_the_smallest_normal_has_one) {
  std::vector<double> x(lanes_max, 1.0);
  x[1] = 0x1p-1022;
  x[2] = 0x1.fffffffffffffp1023;
  auto const results = results_of(&Bodies::log, x);

  EXPECT_EQ(results[0], 0.0);
  EXPECT_DOUBLE_EQ(results[1], -1022 * std::numbers::ln2);
  EXPECT_DOUBLE_EQ(results[2], 1024 * std::numbers::ln2);
}

TEST(Math, SinPi_and_CosPi_are_as_accurate_as_stated) {
  for (std::uint64_t seed = 0; seed < batches; ++seed) {
    auto const u = uniform<double>(seed, -0.5, 0.5);
    EXPECT_LT(absolute_error(&Bodies::sin_pi, sin_pi_of, u), 3.5e-16);
    EXPECT_LT(absolute_error(&Bodies::cos_pi, cos_pi_of, u), 3e-16);
  }
}

TEST(Math, NormalCdf_is_as_accurate_as_stated) {
  for (std::uint64_t seed = 0; seed < batches; ++seed) {
    EXPECT_LT(relative_error(&Bodies::normal_cdf, normal_cdf_of, uniform<double>(seed, -36.9, 9)),
              3e-13);
    EXPECT_LT(relative_error(&Bodies::normal_cdf, normal_cdf_of, uniform<double>(seed, -6, 6)),
              1e-14);
    EXPECT_LT(relative_error(&Bodies::normal_cdf, normal_cdf_of, uniform<double>(seed, -1, 1)),
              1e-14);
  }
}

TEST(Math, NormalCdf_ends_at_0_and_1) {
  std::vector<double> x(lanes_max, 0.0);
  x[1] = -38;
  x[2] = 38;
  x[3] = 1e10;
  x[4] = -1e10;
  auto const results = results_of(&Bodies::normal_cdf, x);

  EXPECT_EQ(results[0], 0.5);
  EXPECT_EQ(results[1], 0.0);
  EXPECT_EQ(results[2], 1.0);
  EXPECT_EQ(results[3], 1.0);
  EXPECT_EQ(results[4], 0.0);
}

// Error of z relative to z, by one step of Newton, from the nearer tail.
double inverse_error(double p, double z) {
  bool const upper = p > 0.5;
  long double const tail = upper ? 1.0L - p : static_cast<long double>(p);
  long double const x = upper ? -z : z;
  long double const density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi_v<long double>);
  return static_cast<double>(std::fabs((normal_cdf_of(x) - tail) / density / x));
}

TEST(Math, InverseNormal_is_as_accurate_as_stated) {
  for (std::uint64_t seed = 0; seed < batches; ++seed) {
    for (auto const& p :
         {over_decades(seed, -300, -0.31), uniform<double>(seed, 0.501, 1 - 0x1p-53),
          uniform<double>(seed, 0x1p-52, 0.499)}) {
      auto const z = results_of(&Bodies::inverse_normal, p);
      double worst = 0;
      for (std::size_t i = 0; i < p.size(); ++i) worst = std::max(worst, inverse_error(p[i], z[i]));
      EXPECT_LT(worst, 2e-15);
    }
  }
}

TEST(Math, InverseNormal_is_nought_in_the_middle) {
  std::vector<double> p(lanes_max, 0.5);
  p[1] = 0.5 - 0x1p-53;
  p[2] = 0.5 + 0x1p-53;
  auto const z = results_of(&Bodies::inverse_normal, p);

  EXPECT_EQ(z[0], 0.0);
  EXPECT_NEAR(z[1], -0x1p-53 * std::sqrt(2 * std::numbers::pi), 1e-30);
  EXPECT_NEAR(z[2], 0x1p-53 * std::sqrt(2 * std::numbers::pi), 1e-30);
}

}  // namespace
}  // namespace makespan::simd

// SPDX-License-Identifier: Apache-2.0
// Goal: paths are the random walks that they are said to be. Method: the same paths one at a time
// in double, from the definitions: Philox, Box-Muller, S = e^((b - sigma^2/2) t + sigma B). On one
// lane; kernels_test.cpp compares the instruction sets.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "apps/asian/path_set.hpp"
#include "makespan/simd/philox.hpp"

namespace makespan::asian {
namespace {

Kernels const& one_lane() {
  return Kernels::named("one_lane");
}

// The pair of normals of a pair of words, as normal-inl.hpp says.
std::array<double, 2> pair_of(std::uint32_t radius_word, std::uint32_t angle_word) {
  auto const signed_word = [](std::uint32_t word) {
    return static_cast<double>(static_cast<float>(static_cast<std::int32_t>(word)));
  };
  double const uniform = std::fabs(signed_word(radius_word | 1U)) * 0x1p-31;
  double const radius = std::sqrt(-2 * std::log(uniform));
  double const angle = std::numbers::pi * signed_word(angle_word) * 0x1p-32;
  double const sign = (radius_word >> 31) != 0 ? -1 : 1;
  return {radius * std::sin(angle), sign * radius * std::cos(angle)};
}
std::array<double, 2> pair_of(std::uint64_t radius_word, std::uint64_t angle_word) {
  double const uniform = (static_cast<double>(radius_word >> 12) + 0.5) * 0x1p-52;
  double const turn = (static_cast<double>(angle_word >> 12) + 0.5) * 0x1p-52 - 0.5;
  double const radius = std::sqrt(-2 * std::log(uniform));
  double const angle = std::numbers::pi * turn;
  return {radius * std::sin(angle), ((radius_word & 1U) != 0 ? -radius : radius) * std::cos(angle)};
}

// Normals of one path: a counter per four steps in single, per two in double.
std::vector<double> normals_of(PathJob const& job, std::uint64_t path, Precision precision) {
  std::vector<double> normals;
  for (std::uint32_t counter = 0; normals.size() < static_cast<std::size_t>(job.tables.steps);
       ++counter) {
    simd::PhiloxCounter const w = simd::philox(
        {static_cast<std::uint32_t>(path), job.stream.word_1, counter, job.stream.word_3},
        job.stream.key, job.philox_rounds);
    auto const wide = [&](std::size_t i) { return (std::uint64_t{w[i]} << 32) | w[i + 1]; };
    if (precision == Precision::fp64) {
      for (double const z : pair_of(wide(0), wide(2))) normals.push_back(z);
    } else {
      for (std::size_t i = 0; i < 4; i += 2) {
        for (double const z : pair_of(w[i], w[i + 1])) normals.push_back(z);
      }
    }
  }
  return normals;
}

// All functionals of one path, by definition; S in units of the spot.
std::array<double, functional_count> path_of(Contract const& contract, Schedule const& schedule,
                                             std::vector<double> const& normals) {
  std::array<double, functional_count> f{};
  double const sigma = contract.volatility;
  double b = 0;
  double before = 0;
  for (std::size_t i = 0; i < schedule.time.size(); ++i) {
    double const time = schedule.time[i];
    b += std::sqrt(time - before) * normals[i];
    before = time;
    f[log_sum] += schedule.log_weight[i] * sigma * b;
    f[vega_logs] += schedule.log_weight[i] * b;
    for (double const twin : {1.0, -1.0}) {
      double const s = std::exp((contract.drift - 0.5 * sigma * sigma) * time + twin * sigma * b);
      double const part = schedule.weight[i] * s;
      double const a = schedule.direction[i];
      bool const up = twin > 0;
      f[up ? growth_up : growth_down] = s;
      f[up ? sum_up : sum_down] += part;
      f[up ? brownian_up : brownian_down] += part * b;
      f[up ? time_up : time_down] += part * time;
      f[up ? vega_up : vega_down] += part * sigma * time;
      f[up ? direction_up : direction_down] += part * a;
      f[up ? direction2_up : direction2_down] += part * a * a;
    }
  }
  f[brownian] = b;
  f[vega_end] = b;
  return f;
}

bool is_twins(int functional) {
  return functional == growth_down || functional == sum_down ||
         (functional >= brownian_down && functional < vega_end) || functional == vega_down;
}
bool is_for_greeks(int functional) {
  return functional >= brownian;
}

template <class T>
void expect_paths(Contract const& contract, PathOptions const& options, double tolerance) {
  constexpr Precision precision = sizeof(T) == sizeof(float) ? Precision::fp32 : Precision::fp64;
  PathSet paths{contract, precision, options};
  std::uint64_t const first = 512;
  auto const values = paths.functionals<T>(one_lane(), first, slab_samples);
  double const scale = paths.law().arithmetic.terminal_scale;
  for (std::size_t path = 0; path < slab_samples; path += 5) {
    auto const normals = normals_of(paths.job(), first + path, precision);
    auto const expected = path_of(contract, paths.schedule(), normals);
    for (int f = 0; f < functionals_of<T>; ++f) {
      if (is_twins(f) && !options.antithetic) continue;
      if (is_for_greeks(f) && !options.greeks) continue;
      auto const at = static_cast<std::size_t>(f);
      double const ours = static_cast<double>(values[at * slab_samples + path]);
      double const truth = expected[at];
      bool const is_growth = f == growth_up || f == growth_down;
      EXPECT_NEAR(is_growth ? ours * scale : ours, truth, tolerance * (1 + std::fabs(truth)))
          << "functional " << f << ", path " << path;
    }
  }
}

TEST(Simulate, single_precision_paths_are_the_defined_ones) {
  for (double const volatility : {0.01, 0.2, 0.6, 2.0}) {  // each growth
    for (std::int64_t const fixings : {1, 2, 3, 63, 64, 65, 200}) {
      for (bool const antithetic : {false, true}) {
        for (bool const greeks : {false, true}) {
          // Normals are good to 2e-6, and a path's logarithm sums sigma sqrt(dt) of each.
          expect_paths<float>(with_fixings(fixings, volatility),
                              {NormalSource::philox, 10, antithetic, greeks},
                              2e-6 + 1e-5 * volatility);
        }
      }
    }
  }
}

TEST(Simulate, double_precision_paths_are_the_defined_ones) {
  for (double const volatility : {0.01, 0.6, 4.0}) {
    for (std::int64_t const fixings : {1, 2, 3, 63, 64, 65, 200}) {
      for (bool const antithetic : {false, true}) {
        expect_paths<double>(with_fixings(fixings, volatility),
                             {NormalSource::philox, 10, antithetic, true}, 1e-12);
      }
    }
  }
}

TEST(Simulate, takes_seven_rounds_when_told) {
  expect_paths<float>(with_fixings(12), {NormalSource::philox, 7, true, true}, 4e-6);
  expect_paths<double>(with_fixings(12), {NormalSource::philox, 7, true, true}, 1e-12);
}

TEST(Simulate, follows_uneven_times_past_fixings_and_a_fixing_now) {
  std::vector<double> const times{0, 0.003, 0.004, 0.5, 0.51, 0.9};
  Contract contract = seasoned(on_strike(monthly_call(), 1));  // with a step to expiry
  contract.fixings = 6;
  contract.times = times;

  expect_paths<float>(contract, {NormalSource::philox, 10, true, true}, 4e-6);
  expect_paths<double>(contract, {NormalSource::philox, 10, true, true}, 1e-12);
}

TEST(Simulate, has_other_paths_for_another_key_seed_or_path) {
  Contract const contract = with_fixings(3);
  PathSet paths{contract, Precision::fp32, {}};
  auto const values = paths.functionals<float>(one_lane(), 0, slab_samples);
  Contract other_seed = contract;
  ++other_seed.seed;
  Contract other_key = contract;
  other_key.key ^= std::uint64_t{1} << 63;
  for (Contract const& other : {other_seed, other_key}) {
    PathSet others{other, Precision::fp32, {}};
    auto const theirs = others.functionals<float>(one_lane(), 0, slab_samples);
    int same = 0;
    for (std::size_t i = 0; i < slab_samples; ++i) same += values[i] == theirs[i];
    EXPECT_LT(same, 3);
  }
  EXPECT_NE(values, paths.functionals<float>(one_lane(), slab_samples, slab_samples));
}

}  // namespace
}  // namespace makespan::asian

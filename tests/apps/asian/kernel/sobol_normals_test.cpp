// SPDX-License-Identifier: Apache-2.0
// Goal: scrambling keeps what makes the points low-discrepancy, and paths built from them are
// Brownian. Method: one point in each interval of any block, before and after; a bit depends on the
// bits above it only; the same paths by hand from the words, through the bridge, in double.
// On one lane; kernels_test.cpp compares the instruction sets.
#include "makespan/simd/one_lane.hpp"
// (before the bodies: it says what they are written in)
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <set>

#include "apps/asian/path_set.hpp"
#include "makespan/apps/asian/kernel/sobol_normals-inl.hpp"

namespace makespan::asian {
namespace {

std::uint32_t reversed(std::uint32_t x) {
  return simd::one_lane::ReverseBits(x);
}

// Owen scrambling of a coordinate whose most significant bit comes first.
std::uint32_t scrambled(std::uint32_t coordinate, std::uint32_t key) {
  return reversed(one_lane::Scramble(reversed(coordinate), key));
}

TEST(Scramble, changes_a_bit_by_the_bits_above_it_only) {
  std::mt19937 random{1};
  for (int trial = 0; trial < 2000; ++trial) {
    std::uint32_t const key = static_cast<std::uint32_t>(random());
    std::uint32_t const x = static_cast<std::uint32_t>(random());
    unsigned const depth = 1 + static_cast<unsigned>(random() % 31);
    std::uint32_t const below = 0xffffffffU >> depth;
    std::uint32_t const other = x ^ (static_cast<std::uint32_t>(random()) & below);

    EXPECT_EQ(scrambled(x, key) & ~below, scrambled(other, key) & ~below);
    EXPECT_NE(scrambled(x, key), scrambled(x ^ (0x80000000U >> depth), key));
  }
}

TEST(Scramble, is_uniform_over_keys) {
  // Each bit of a scrambled word is one for half of the keys, whatever the word.
  std::mt19937 random{2};
  constexpr int keys = 4096;
  for (std::uint32_t const x : {0U, 0xffffffffU, 0x80000000U, 0x12345678U}) {
    int count[32] = {};
    for (int trial = 0; trial < keys; ++trial) {
      std::uint32_t const word = scrambled(x, static_cast<std::uint32_t>(random()));
      for (int bit = 0; bit < 32; ++bit) count[bit] += static_cast<int>((word >> bit) & 1U);
    }
    for (int const ones : count) EXPECT_NEAR(ones, keys / 2, 6 * std::sqrt(keys) / 2);
  }
}

// The words of dimension k for points first .. first + count - 1.
std::vector<std::uint32_t> words_of(SobolPlan const& plan, int k, std::uint32_t first, int count) {
  std::vector<std::uint32_t> words;
  for (int i = 0; i < count; i += 2) {
    for (std::uint32_t& word : plan.base) word = 0;
    one_lane::MoveSobolBase(plan, static_cast<int>(plan.base.size()),
                            first + static_cast<std::uint32_t>(i));
    std::uint32_t pair[2];
    one_lane::SobolWords<2>(plan, one_lane::LaneBits<2>{}, k, pair);
    words.insert(words.end(), pair, pair + 2);
  }
  return words;
}

TEST(SobolWords, have_one_point_in_each_interval_of_any_block) {
  PathSet const paths{with_fixings(200), Precision::fp32, {.source = NormalSource::sobol}};
  for (int k = 0; k < 200; k += 7) {
    for (int const bits : {1, 5, 8, 10}) {
      int const count = 1 << bits;
      for (std::uint32_t const block : {0U, 1U, 5U}) {
        std::set<std::uint32_t> cells;
        for (std::uint32_t const word :
             words_of(paths.job().sobol, k, block * static_cast<std::uint32_t>(count), count)) {
          cells.insert(word >> (32 - bits));
        }
        EXPECT_EQ(cells.size(), static_cast<std::size_t>(count))
            << k << ' ' << bits << ' ' << block;
      }
    }
  }
}

TEST(SobolWords, fill_each_box_of_the_first_two_dimensions) {
  PathSet const paths{with_fixings(2), Precision::fp32, {.source = NormalSource::sobol}};
  auto const x = words_of(paths.job().sobol, 0, 256, 256);
  auto const y = words_of(paths.job().sobol, 1, 256, 256);
  for (unsigned across = 1; across < 8; ++across) {
    std::set<std::uint32_t> boxes;
    for (std::size_t i = 0; i < 256; ++i) {
      boxes.insert((x[i] >> (32 - across) << (8 - across)) + (y[i] >> (24 + across)));
    }
    EXPECT_EQ(boxes.size(), 256U) << across;
  }
}

template <class T>
void expect_bridged_paths(Contract const& contract, double tolerance) {
  constexpr Precision precision = sizeof(T) == sizeof(float) ? Precision::fp32 : Precision::fp64;
  PathSet paths{contract, precision, {.source = NormalSource::sobol, .greeks = true}};
  std::uint32_t const first = 768;
  auto const values = paths.functionals<T>(Kernels::named("one_lane"), first, slab_samples);
  auto const& schedule = paths.schedule();
  std::size_t const steps = schedule.time.size();
  std::vector<std::vector<std::uint32_t>> words;
  for (std::size_t k = 0; k < steps; ++k) {
    words.push_back(words_of(paths.job().sobol, static_cast<int>(k), first, slab_samples));
  }
  for (std::size_t path = 0; path < slab_samples; ++path) {
    std::vector<double> b(steps + 1);
    for (std::size_t k = 0; k < steps; ++k) {
      BridgeStep const& step = paths.job().sobol.bridge[k];
      double const z = simd::normal_quantile((words[k][path] + 0.5) * 0x1p-32);
      b[static_cast<std::size_t>(step.index)] =
          step.left_weight * b[static_cast<std::size_t>(step.left)] +
          step.right_weight * b[static_cast<std::size_t>(step.right)] + step.deviation * z;
    }
    double logs = 0;
    for (std::size_t i = 0; i < steps; ++i) {
      logs += contract.volatility * schedule.log_weight[i] * b[i + 1];
    }
    EXPECT_NEAR(values[brownian * slab_samples + path], b[steps], tolerance) << path;
    EXPECT_NEAR(values[log_sum * slab_samples + path], logs, tolerance) << path;
  }
}

TEST(SobolNormals, make_the_bridged_paths) {
  for (std::int64_t const fixings : {1, 2, 3, 63, 64, 65, 200}) {
    expect_bridged_paths<float>(with_fixings(fixings), 1e-5);
    expect_bridged_paths<double>(with_fixings(fixings), 1e-13);
  }
}

TEST(SobolNormals, have_the_moments_of_Brownian_motion_beyond_the_direction_numbers_too) {
  constexpr int beyond = sobol_dimensions + 100;
  for (std::int64_t const fixings : {std::int64_t{16}, std::int64_t{beyond}}) {
    Contract const contract = with_fixings(fixings);
    PathSet paths{contract, Precision::fp32, {.source = NormalSource::sobol, .greeks = true}};
    auto const values = paths.functionals<float>(Kernels::named("auto"), 0, slab_samples);
    auto const mean_square = [&](Functional f) {
      double sum = 0;
      for (std::size_t i = 0; i < slab_samples; ++i) {
        double const value =
            static_cast<double>(values[static_cast<std::size_t>(f) * slab_samples + i]);
        sum += value * value / slab_samples;
      }
      return sum;
    };
    // 256 stratified points: far better than the 9 % of random ones.
    EXPECT_NEAR(mean_square(brownian), 1, 0.02) << fixings;
    EXPECT_NEAR(mean_square(log_sum) / paths.law().log_variance, 1, 0.03) << fixings;
  }
}

}  // namespace
}  // namespace makespan::asian

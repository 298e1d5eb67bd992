// SPDX-License-Identifier: Apache-2.0
// Goal: every operation of the bodies' language means the same on vectors and on one lane.
// Method: each one over random and edge values, each instruction set against the one lane, and
// the ones that are ours against plain definitions.
#include "makespan/simd/one_lane.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "simd/random_words.hpp"
#include "test_size.hpp"

namespace makespan::simd {
namespace {

// Floats of every sign and size, without NaN: what comparisons make of it is not in the language.
template <class T>
std::vector<T> numbers(std::uint64_t seed) {
  std::mt19937_64 random{seed};
  std::vector<T> values;
  for (T const special : {T{0}, -T{0}, T{1}, T{-1}, std::numeric_limits<T>::infinity(),
                          -std::numeric_limits<T>::infinity(), std::numeric_limits<T>::max(),
                          std::numeric_limits<T>::min()}) {
    values.push_back(special);
  }
  while (values.size() < batch) {
    auto const exponent = static_cast<int>(random() % 60) - 30;
    auto const mantissa = static_cast<T>(static_cast<std::int64_t>(random())) * T{0x1p-63};
    values.push_back(std::ldexp(mantissa, exponent));
  }
  std::shuffle(values.begin(), values.end(), random);
  return values;
}

// Bits of the results, every NaN alike: IEEE 754 leaves open which one comes out.
template <class T>
std::vector<T> without_nan(std::vector<T> values) {
  for (T& value : values) value = std::isnan(value) ? T{12345} : value;
  return values;
}

TEST(Ops, floats_mean_the_same_everywhere) {
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    auto const a = numbers<float>(seed);
    auto const b = numbers<float>(seed + 100);
    std::vector<float> expected(float_operation_count * batch);
    all_bodies().back().float_operations(a, b, expected.data());
    // Iota counts lanes: the one number that depends on how many there are.
    auto const iota = static_cast<std::ptrdiff_t>((float_operation_count - 1) * batch);
    for (Bodies const& bodies : all_bodies()) {
      std::vector<float> results(expected.size());
      bodies.float_operations(a, b, results.data());
      EXPECT_EQ(results[static_cast<std::size_t>(iota)], 3.0F);
      std::copy(expected.begin() + iota, expected.end(), results.begin() + iota);
      EXPECT_TRUE(same_bits(without_nan(results), without_nan(expected)))
          << bodies.isa << ", seed " << seed;
    }
  }
}

TEST(Ops, doubles_mean_the_same_everywhere) {
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    auto const a = numbers<double>(seed);
    auto const b = numbers<double>(seed + 100);
    std::vector<double> expected(float_operation_count * batch);
    all_bodies().back().double_operations(a, b, expected.data());
    auto const iota = static_cast<std::ptrdiff_t>((float_operation_count - 1) * batch);
    for (Bodies const& bodies : all_bodies()) {
      std::vector<double> results(expected.size());
      bodies.double_operations(a, b, results.data());
      EXPECT_EQ(results[static_cast<std::size_t>(iota)], 3.0);
      std::copy(expected.begin() + iota, expected.end(), results.begin() + iota);
      EXPECT_TRUE(same_bits(without_nan(results), without_nan(expected)))
          << bodies.isa << ", seed " << seed;
    }
  }
}

TEST(Ops, words_mean_the_same_everywhere) {
  auto a = random_words<std::uint32_t>(1);
  auto b = random_words<std::uint32_t>(2);
  edge_pairs(a, b);
  std::vector<std::uint32_t> expected(word_operation_count * a.size());
  all_bodies().back().word_operations({a, b}, expected.data());

  for (Bodies const& bodies : all_bodies()) {
    std::vector<std::uint32_t> results(expected.size());
    bodies.word_operations({a, b}, results.data());
    EXPECT_EQ(results, expected) << bodies.isa;
  }
}

TEST(Ops, words_of_64_bits_mean_the_same_everywhere) {
  auto a = random_words<std::uint64_t>(3);
  auto b = random_words<std::uint64_t>(4);
  edge_pairs(a, b);
  std::vector<std::uint64_t> expected(word_operation_64_count * a.size());
  all_bodies().back().word_operations_64({a, b}, expected.data());

  for (Bodies const& bodies : all_bodies()) {
    std::vector<std::uint64_t> results(expected.size());
    bodies.word_operations_64({a, b}, results.data());
    EXPECT_EQ(results, expected) << bodies.isa;
  }
}

TEST(Ops, one_lane_operations_are_what_their_names_say) {
  using namespace one_lane;

  EXPECT_EQ(MulAdd(3.0, 5.0, 7.0), 22.0);
  EXPECT_EQ(NegMulAdd(3.0F, 5.0F, 7.0F), -8.0F);
  EXPECT_EQ(MulAdd(1 + 0x1p-30, 1 - 0x1p-30, -1.0), -0x1p-60);  // fused: one rounding
  EXPECT_EQ(Xor3(1U, 2U, 7U), 4U);
  EXPECT_EQ(XorAnd(1U, 6U, 12U), 5U);
  EXPECT_EQ(ShiftRight<5>(std::int32_t{-64}), -2);
  EXPECT_EQ(MulLow32(0xffffffff00000003U, 5), 15U);
  EXPECT_EQ(HighHalf(0x1234567800000003U), 0x12345678U);
  std::uint64_t const part[halves] = {0xaaaaaaaabbbbbbbbU};
  EXPECT_EQ(MergeLow(part), 0xbbbbbbbbU);
  EXPECT_EQ(MergeHigh(part), 0xaaaaaaaaU);
  EXPECT_EQ(ConvertTo(F32(), std::int32_t{16777217}), 16777216.0F);  // to nearest, ties to even
  EXPECT_EQ(ConvertTo(F32(), std::int32_t{16777219}), 16777220.0F);
}

TEST(Ops, SumOfEight_adds_in_one_order) {
  auto const values = numbers<double>(6);
  std::vector<double> expected(values.size() / 8);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    double const* const x = &values[8 * i];
    expected[i] = ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
  }

  for (Bodies const& bodies : all_bodies()) {
    std::vector<double> sums(expected.size());
    bodies.sums_of_eight(values, sums.data());
    EXPECT_TRUE(same_bits(without_nan(sums), without_nan(expected))) << bodies.isa;
  }
}

TEST(Ops, ReverseBits_reverses_every_bit) {
  auto words = random_words<std::uint32_t>(5);
  auto const edges = edge_words<std::uint32_t>();
  words.insert(words.end(), edges.begin(), edges.end());
  std::vector<std::uint32_t> expected(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (int bit = 0; bit < 32; ++bit) expected[i] |= ((words[i] >> bit) & 1U) << (31 - bit);
  }

  for (Bodies const& bodies : all_bodies()) {
    std::vector<std::uint32_t> reversed(words.size());
    bodies.reverse_bits(words, reversed.data());
    EXPECT_EQ(reversed, expected) << bodies.isa;
  }
}

TEST(Ops, Lookup32_reaches_each_entry_from_each_lane) {
  alignas(64) float table[32];
  std::iota(std::begin(table), std::end(table), 100.0F);
  std::vector<std::int32_t> index(32 * lanes_max);
  for (std::size_t i = 0; i < index.size(); ++i) {
    index[i] = static_cast<std::int32_t>((i % lanes_max * 7 + i / lanes_max) % 32);
  }

  for (Bodies const& bodies : all_bodies()) {
    std::vector<float> found(index.size());
    bodies.lookup_32(table, index, found.data());
    for (std::size_t i = 0; i < index.size(); ++i) {
      EXPECT_EQ(found[i], 100.0F + static_cast<float>(index[i])) << bodies.isa << ", lane " << i;
    }
  }
}

TEST(Ops, GatherQuads_reaches_each_row_from_each_lane) {
  constexpr std::size_t rows = 37;
  std::vector<double> table(4 * rows);
  std::iota(table.begin(), table.end(), 100.0);
  std::vector<std::uint64_t> index(rows * lanes_max);
  for (std::size_t i = 0; i < index.size(); ++i)
    index[i] = (i % lanes_max * 7 + i / lanes_max) % rows;

  for (Bodies const& bodies : all_bodies()) {
    std::vector<double> found(4 * index.size());
    bodies.gather_quads(table.data(), index, found.data());
    for (std::size_t i = 0; i < index.size(); ++i) {
      for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_EQ(found[k * index.size() + i], table[4 * index[i] + k])
            << bodies.isa << ", lane " << i;
      }
    }
  }
}

// |2 x| = mantissa · 2^exponent, for all mantissas of one exponent of x.
void expect_parts_of(Bodies const& bodies, int exponent) {
  std::int64_t const step = is_small_build ? 31 : 1;
  std::vector<float> x(batch);
  std::vector<float> mantissa(batch);
  std::vector<float> exponent_of_twice(batch);
  std::int64_t wrong = 0;
  for (std::int64_t first = 0; first < std::int64_t{1} << 23; first += step * std::int64_t{batch}) {
    for (std::size_t i = 0; i < batch; ++i) {
      std::int64_t const fraction = (first + step * static_cast<std::int64_t>(i)) & 0x7fffff;
      auto const positive = std::ldexp(static_cast<float>((1 << 23) + fraction), exponent - 23);
      x[i] = i % 3 == 0 ? -positive : positive;
    }
    bodies.mantissa(x, mantissa.data());
    bodies.exponent_of_twice(x, exponent_of_twice.data());
    for (std::size_t i = 0; i < batch; ++i) {
      float const m = std::ldexp(std::fabs(x[i]), -exponent);  // in [1, 2)
      bool const over = m >= 1.5F;
      wrong += mantissa[i] != (over ? m / 2 : m) ||
               exponent_of_twice[i] != static_cast<float>(exponent + (over ? 2 : 1));
    }
  }
  EXPECT_EQ(wrong, 0) << bodies.isa << ", exponent " << exponent;
}

TEST(Ops, Mantissa_and_ExponentOfTwice_take_every_float_apart) {
  for (Bodies const& bodies : all_bodies()) {
    for (int const exponent : {-126, -1, 0, 30, 31}) expect_parts_of(bodies, exponent);
  }
}

}  // namespace
}  // namespace makespan::simd

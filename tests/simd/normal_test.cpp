// SPDX-License-Identifier: Apache-2.0
// Goal: normals have the same bits on every instruction set, the accuracy that normal-inl.hpp
// states, and the moments of a normal distribution. Method: more than 10^7 random words and every
// edge word, against the math library in long double or, where that is far better than the bound,
// in double.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "simd/random_words.hpp"
#include "test_size.hpp"

namespace makespan::simd {
namespace {

auto const normal_batches = static_cast<std::uint64_t>(drawn(640));  // 640 · 2^14 is above 10^7

struct Normals32 {
  std::vector<float> sine;
  std::vector<float> cosine;
};

Normals32 box_muller(Bodies const& bodies, Pair32 const& words) {
  Normals32 normals{std::vector<float>(words.first.size()), std::vector<float>(words.first.size())};
  bodies.box_muller_f32(words, normals.sine.data(), normals.cosine.data());
  return normals;
}

void expect_same_normals(std::vector<std::uint32_t> const& radius,
                         std::vector<std::uint32_t> const& angle) {
  Normals32 const expected = box_muller(all_bodies().back(), {radius, angle});
  for (Bodies const& bodies : all_bodies()) {
    Normals32 const normals = box_muller(bodies, {radius, angle});
    EXPECT_TRUE(same_bits(normals.sine, expected.sine)) << bodies.isa;
    EXPECT_TRUE(same_bits(normals.cosine, expected.cosine)) << bodies.isa;
  }
}

TEST(BoxMuller32, has_the_same_bits_on_every_instruction_set) {
  for (std::uint64_t seed = 0; seed < normal_batches; ++seed) {
    expect_same_normals(random_words<std::uint32_t>(seed), random_words<std::uint32_t>(~seed));
  }
}

TEST(BoxMuller32, has_the_same_bits_at_edge_words) {
  std::vector<std::uint32_t> radius;
  std::vector<std::uint32_t> angle;
  edge_pairs(radius, angle);

  expect_same_normals(radius, angle);
}

// What BoxMuller's comment says the words mean, in double.
struct Polar {
  double radius;
  double angle;
  double cosine_sign;
};

Polar polar_of(std::uint32_t radius_word, std::uint32_t angle_word) {
  auto const x = static_cast<float>(static_cast<std::int32_t>(radius_word | 1U));
  double const uniform = std::fabs(static_cast<double>(x)) * 0x1p-31;
  auto const turn = static_cast<double>(static_cast<float>(static_cast<std::int32_t>(angle_word)));
  return {std::sqrt(-2 * std::log(uniform)), std::numbers::pi * turn * 0x1p-32,
          (radius_word >> 31) != 0 ? -1.0 : 1.0};
}

// Largest error of both normals where the radius is above 0.05, and below it.
struct Errors {
  double usual = 0;
  double near_zero = 0;
};

void look_at(Normals32 const& normals, std::vector<std::uint32_t> const& radius,
             std::vector<std::uint32_t> const& angle, Errors& errors) {
  for (std::size_t i = 0; i < radius.size(); ++i) {
    Polar const polar = polar_of(radius[i], angle[i]);
    double const off_sine = std::fabs(normals.sine[i] - polar.radius * std::sin(polar.angle));
    double const off_cosine =
        std::fabs(normals.cosine[i] - polar.cosine_sign * polar.radius * std::cos(polar.angle));
    double& worst = polar.radius > 0.05 ? errors.usual : errors.near_zero;
    worst = std::max({worst, off_sine, off_cosine});
  }
}

TEST(BoxMuller32, is_as_accurate_as_stated) {
  Errors errors;
  std::vector<std::uint32_t> radius;
  std::vector<std::uint32_t> angle;
  edge_pairs(radius, angle);
  look_at(box_muller(all_bodies().front(), {radius, angle}), radius, angle, errors);
  for (std::uint64_t seed = 0; seed < normal_batches; ++seed) {
    radius = random_words<std::uint32_t>(seed);
    angle = random_words<std::uint32_t>(~seed);
    look_at(box_muller(all_bodies().front(), {radius, angle}), radius, angle, errors);
  }

  EXPECT_LT(errors.usual, 2e-6);
  EXPECT_LT(errors.near_zero, 5e-5);  // a polynomial's error of 2^-24 under a root
}

TEST(BoxMuller32, is_finite_and_bounded_at_every_edge_word) {
  std::vector<std::uint32_t> radius;
  std::vector<std::uint32_t> angle;
  edge_pairs(radius, angle);
  Normals32 const normals = box_muller(all_bodies().front(), {radius, angle});

  double most = 0;
  for (auto const* values : {&normals.sine, &normals.cosine}) {
    for (float const z : *values) {
      ASSERT_TRUE(std::isfinite(z));
      most = std::max(most, std::fabs(static_cast<double>(z)));
    }
  }
  EXPECT_LT(most, 6.56);
  EXPECT_GT(most, 6.5);  // radius word 0, the furthest there is
}

// Sums of powers of many normals, about as far from their means as chance puts them: each mean's
// deviation is known, and 5 of them are allowed.
class Moments {
 public:
  void add(double z) {
    double const z2 = z * z;
    first_ += z;
    second_ += z2;
    third_ += z2 * z;
    fourth_ += z2 * z2;
    tail_ += z2 > 9 ? 1 : 0;
    ++count_;
  }
  void add_all(std::vector<float> const& values) {
    for (float const z : values) add(z);
  }
  void expect_normal() const {
    double const n = static_cast<double>(count_);
    double const five = 5 / std::sqrt(n);
    EXPECT_NEAR(first_ / n, 0, five);
    EXPECT_NEAR(second_ / n, 1, five * std::sqrt(2.0));
    EXPECT_NEAR(third_ / n, 0, five * std::sqrt(15.0));
    EXPECT_NEAR(fourth_ / n, 3, five * std::sqrt(96.0));
    double const beyond = std::erfc(3 / std::numbers::sqrt2);
    EXPECT_NEAR(tail_ / n, beyond, five * std::sqrt(beyond));
  }

 private:
  double first_ = 0;
  double second_ = 0;
  double third_ = 0;
  double fourth_ = 0;
  double tail_ = 0;
  std::int64_t count_ = 0;
};

TEST(BoxMuller32, has_the_moments_of_two_independent_normals) {
  Moments sine;
  Moments cosine;
  Moments sum;  // of the pair, scaled: normal too if the two are independent
  for (std::uint64_t seed = 0; seed < normal_batches; ++seed) {
    auto const radius = random_words<std::uint32_t>(seed);
    auto const angle = random_words<std::uint32_t>(~seed);
    Normals32 const normals = box_muller(all_bodies().front(), {radius, angle});
    sine.add_all(normals.sine);
    cosine.add_all(normals.cosine);
    for (std::size_t i = 0; i < radius.size(); ++i) {
      sum.add((normals.sine[i] + normals.cosine[i]) / std::numbers::sqrt2);
    }
  }

  sine.expect_normal();
  cosine.expect_normal();
  sum.expect_normal();
}

struct Normals64 {
  std::vector<double> sine;
  std::vector<double> cosine;
};

Normals64 box_muller(Bodies const& bodies, Pair64 const& words) {
  Normals64 normals{std::vector<double>(words.first.size()),
                    std::vector<double>(words.first.size())};
  bodies.box_muller_f64(words, normals.sine.data(), normals.cosine.data());
  return normals;
}

// Largest error of both normals, by the definition that normal-inl.hpp states, in long double.
double error_of(Normals64 const& normals, Pair64 const& words) {
  long double worst = 0;
  for (std::size_t i = 0; i < words.first.size(); ++i) {
    auto const steps = static_cast<long double>(words.first[i] >> 12);
    long double const uniform = (steps + 0.5L) * 0x1p-52L;
    long double const turn =
        (static_cast<long double>(words.second[i] >> 12) + 0.5L) * 0x1p-52L - 0.5L;
    long double const radius = std::sqrt(-2 * std::log(uniform));
    long double const angle = std::numbers::pi_v<long double> * turn;
    long double const sign = (words.first[i] & 1U) != 0 ? -1 : 1;
    worst = std::max({worst, std::fabs(normals.sine[i] - radius * std::sin(angle)),
                      std::fabs(normals.cosine[i] - sign * radius * std::cos(angle))});
  }
  return static_cast<double>(worst);
}

TEST(BoxMuller64, has_the_same_bits_on_every_instruction_set_and_the_stated_accuracy) {
  std::vector<std::uint64_t> radius;
  std::vector<std::uint64_t> angle;
  edge_pairs(radius, angle);
  for (std::uint64_t seed = 0; seed <= normal_batches; ++seed) {
    Normals64 const expected = box_muller(all_bodies().back(), Pair64{radius, angle});
    for (Bodies const& bodies : all_bodies()) {
      Normals64 const normals = box_muller(bodies, Pair64{radius, angle});
      EXPECT_TRUE(same_bits(normals.sine, expected.sine)) << bodies.isa;
      EXPECT_TRUE(same_bits(normals.cosine, expected.cosine)) << bodies.isa;
    }
    if (seed % 10 == 0) {
      EXPECT_LT(error_of(expected, {radius, angle}), 5e-15);
    }
    radius = random_words<std::uint64_t>(seed);
    angle = random_words<std::uint64_t>(~seed);
  }
}

std::vector<float> inverse_normals(Bodies const& bodies, std::vector<std::uint32_t> const& words) {
  std::vector<float> normals(words.size());
  bodies.inverse_normal_32(words, normals.data());
  return normals;
}

TEST(InverseNormal32, has_the_same_bits_on_every_instruction_set) {
  auto words = edge_words<std::uint32_t>();
  for (std::uint64_t seed = 0; seed <= normal_batches; ++seed) {
    auto const expected = inverse_normals(all_bodies().back(), words);
    for (Bodies const& bodies : all_bodies()) {
      EXPECT_TRUE(same_bits(inverse_normals(bodies, words), expected)) << bodies.isa;
    }
    words = random_words<std::uint32_t>(seed);
  }
}

// How far z is from the normal at (word + 1/2) / 2^32: one step of Newton from z itself, which is
// exact to second order. From the nearer tail, so that nothing cancels. The last word of each tail
// stands for 2^-32 of it: its octave is not in the table.
double inverse_error(std::uint32_t word, float z) {
  bool const upper = word >> 31 != 0;
  long double const steps = static_cast<long double>(upper ? ~word : word) + 0.5L;
  long double const tail = std::max(steps, 1.0L) * 0x1p-32L;
  long double const x = upper ? -z : z;
  long double const mass = 0.5L * std::erfc(-x / std::numbers::sqrt2_v<long double>);
  long double const density = std::exp(-x * x / 2) * std::numbers::inv_sqrtpi_v<long double> /
                              std::numbers::sqrt2_v<long double>;
  return static_cast<double>(std::fabs((mass - tail) / density));
}

TEST(InverseNormal32, is_as_accurate_as_stated) {
  double worst = 0;
  double most = 0;
  auto words = edge_words<std::uint32_t>();
  for (std::uint64_t seed = 0; seed <= normal_batches / 8; ++seed) {
    auto const normals = inverse_normals(all_bodies().front(), words);
    for (std::size_t i = 0; i < words.size(); ++i) {
      worst = std::max(worst, inverse_error(words[i], normals[i]));
      most = std::max(most, std::fabs(static_cast<double>(normals[i])));
    }
    words = random_words<std::uint32_t>(seed);
    // A random word is rarely in a tail: every other one is moved there, each octave alike.
    for (std::size_t i = 0; i < words.size(); i += 2) {
      words[i] = (words[i] >> 6) >> (words[i] % 26) ^ (i % 4 == 0 ? 0U : ~0U);
    }
  }

  EXPECT_LT(worst, 8e-7);
  EXPECT_NEAR(most, 6.2303, 1e-4);
}

TEST(InverseNormal32, is_odd_and_never_falls) {
  std::vector<std::uint32_t> words = edge_words<std::uint32_t>();
  std::sort(words.begin(), words.end());
  auto const normals = inverse_normals(all_bodies().front(), words);
  std::vector<std::uint32_t> mirrored = words;
  for (std::uint32_t& word : mirrored) word = ~word;
  auto const twins = inverse_normals(all_bodies().front(), mirrored);

  for (std::size_t i = 0; i < words.size(); ++i) EXPECT_EQ(twins[i], -normals[i]) << words[i];
  EXPECT_TRUE(std::is_sorted(normals.begin(), normals.end()));
}

TEST(InverseNormal32, has_the_moments_of_a_normal) {
  Moments moments;
  for (std::uint64_t seed = 0; seed < normal_batches; ++seed) {
    moments.add_all(inverse_normals(all_bodies().front(), random_words<std::uint32_t>(seed)));
  }

  moments.expect_normal();
}

}  // namespace
}  // namespace makespan::simd

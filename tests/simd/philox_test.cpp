// SPDX-License-Identifier: Apache-2.0
// Goal: the generator is Random123's, and the vector code, which has the first two rounds split
// into a part per path and a part per step, draws the same words. Method: known answers of
// Random123 (examples/kat_vectors of D. E. Shaw Research's distribution); random streams.
#include "makespan/simd/philox.hpp"

#include <gtest/gtest.h>

#include <random>

#include "simd/random_words.hpp"

namespace makespan::simd {
namespace {

struct KnownAnswer {
  PhiloxCounter counter;
  std::uint64_t key;  // second word in the upper half
  int rounds;
  PhiloxCounter words;
};

constexpr PhiloxCounter ones{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff};
constexpr PhiloxCounter pi_digits{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344};

TEST(Philox, gives_the_known_answers) {
  for (KnownAnswer const& known :
       {KnownAnswer{{}, 0, 10, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        KnownAnswer{ones, ~std::uint64_t{0}, 10, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        KnownAnswer{
            pi_digits, 0x299f31d0a4093822, 10, {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
        KnownAnswer{{}, 0, 7, {0x5f6fb709, 0x0d893f64, 0x4f121f81, 0x4f730a48}},
        KnownAnswer{ones, ~std::uint64_t{0}, 7, {0x5207ddc2, 0x45165e59, 0x4d8ee751, 0x8c52f662}},
        KnownAnswer{
            pi_digits, 0x299f31d0a4093822, 7, {0x4dfccaba, 0x190a87f0, 0xc47362ba, 0xb6b5242a}}}) {
    EXPECT_EQ(philox(known.counter, known.key, known.rounds), known.words) << known.rounds;
  }
}

// The words of `request` one path at a time.
std::vector<std::uint32_t> scalar_words(PhiloxRequest const& request) {
  std::vector<std::uint32_t> words(4 * request.count);
  for (std::size_t i = 0; i < request.count; ++i) {
    auto const path = static_cast<std::uint32_t>(request.path_first + i);
    PhiloxStream const& stream = request.stream;
    PhiloxCounter const drawn =
        philox({path, stream.word_1, request.step, stream.word_3}, stream.key, request.rounds);
    for (std::size_t w = 0; w < 4; ++w) words[w * request.count + i] = drawn[w];
  }
  return words;
}

void expect_words_of(PhiloxRequest const& request) {
  auto const expected = scalar_words(request);
  std::vector<std::uint32_t> words(expected.size());
  for (Bodies const& bodies : all_bodies()) {
    bodies.philox_words(request, words.data());
    EXPECT_EQ(words, expected) << bodies.isa << ", " << request.rounds << " rounds";
    bodies.philox_words_64(request, words.data());
    EXPECT_EQ(words, expected) << bodies.isa << ", in 64 bits, " << request.rounds << " rounds";
  }
}

TEST(Philox, draws_the_same_words_on_every_instruction_set) {
  std::mt19937_64 random{20261120};
  auto const word = [&random] { return static_cast<std::uint32_t>(random()); };

  for (int stream = 0; stream < 200; ++stream) {
    for (int const rounds : {7, 10}) {
      expect_words_of({{random(), word(), word()}, rounds, word(), word() & ~63U, 64});
    }
  }
}

TEST(Philox, draws_the_same_words_at_the_ends_of_its_counters) {
  std::uint32_t const most = 0xffffffff;
  for (PhiloxStream const& stream :
       {PhiloxStream{0, 0, 0}, PhiloxStream{~std::uint64_t{0}, most, most},
        PhiloxStream{0xffffffff00000000, 0, most}, PhiloxStream{0xffffffff, most, 0}}) {
    for (std::uint32_t const step : {0U, 1U, most}) {
      for (std::uint64_t const first : {std::uint64_t{0}, std::uint64_t{most} - 63}) {
        expect_words_of({stream, 10, step, first, 64});
        expect_words_of({stream, 7, step, first, 64});
      }
    }
  }
}

TEST(Philox, round_keys_are_those_of_the_scalar_code) {
  // One round of counter (0, 0, 0, 0) shows the keys: (k0, 0, k1, 0).
  std::uint64_t const key = 0x0123456789abcdef;
  PhiloxRoundKeys const keys = philox_round_keys(key);

  EXPECT_EQ(philox({}, key, 1), (PhiloxCounter{0x89abcdef, 0, 0x01234567, 0}));
  for (std::size_t round = 0; round < philox_rounds_max; ++round) {
    auto const times = static_cast<std::uint32_t>(round);
    EXPECT_EQ(keys.k0[round], 0x89abcdefU + times * philox_weyl_0);
    EXPECT_EQ(keys.k1[round], 0x01234567U + times * philox_weyl_1);
  }
}

}  // namespace
}  // namespace makespan::simd

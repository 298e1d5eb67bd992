// SPDX-License-Identifier: Apache-2.0
// Philox4x32: a random function from (key, counter) to four 32-bit words. It has no state, so who
// draws a number, and when, makes no difference to it.
//
// Source: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as
// 1, 2, 3", SC11, doi:10.1145/2063384.2063405. Ten rounds is the paper's recommendation, seven the
// fewest that pass BigCrush there.
#pragma once

#include <array>
#include <cstdint>

namespace makespan::simd {

inline constexpr std::uint32_t philox_multiplier_0 = 0xD2511F53U;
inline constexpr std::uint32_t philox_multiplier_1 = 0xCD9E8D57U;
inline constexpr std::uint32_t philox_weyl_0 = 0x9E3779B9U;
inline constexpr std::uint32_t philox_weyl_1 = 0xBB67AE85U;
inline constexpr int philox_rounds_max = 10;

using PhiloxCounter = std::array<std::uint32_t, 4>;

// The four words of `counter` under `key`. Tested by tests/simd/philox_test.cpp against Random123's
// known answers.
constexpr PhiloxCounter philox(PhiloxCounter counter, std::uint64_t key,
                               int rounds = philox_rounds_max) {
  auto k0 = static_cast<std::uint32_t>(key);
  auto k1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < rounds; ++round) {
    std::uint64_t const p0 = std::uint64_t{philox_multiplier_0} * counter[0];
    std::uint64_t const p1 = std::uint64_t{philox_multiplier_1} * counter[2];
    counter = {
        static_cast<std::uint32_t>(p1 >> 32) ^ counter[1] ^ k0, static_cast<std::uint32_t>(p1),
        static_cast<std::uint32_t>(p0 >> 32) ^ counter[3] ^ k1, static_cast<std::uint32_t>(p0)};
    k0 += philox_weyl_0;
    k1 += philox_weyl_1;
  }
  return counter;
}

// The part of a stream that all its counters share. A path kernel's counter is (path, word_1, step,
// word_3): with it in that order the first two rounds fall apart into a part per path and a part
// per step, each computed once.
struct PhiloxStream {
  std::uint64_t key;
  std::uint32_t word_1;
  std::uint32_t word_3;
};

// Round keys, each in the low half of a 64-bit word as the vector code wants them.
struct PhiloxRoundKeys {
  std::array<std::uint64_t, philox_rounds_max> k0;
  std::array<std::uint64_t, philox_rounds_max> k1;
};

constexpr PhiloxRoundKeys philox_round_keys(std::uint64_t key) {
  PhiloxRoundKeys keys{};
  auto k0 = static_cast<std::uint32_t>(key);
  auto k1 = static_cast<std::uint32_t>(key >> 32);
  for (unsigned round = 0; round < philox_rounds_max; ++round) {
    keys.k0[round] = k0;
    keys.k1[round] = k1;
    k0 += philox_weyl_0;
    k1 += philox_weyl_1;
  }
  return keys;
}

// What the first two rounds make of a counter's step word alone.
struct PhiloxStep {
  std::uint64_t xor_0;   // into the first word after round 2
  std::uint64_t xor_2;   // into the third
  std::uint64_t word_3;  // the fourth
};

constexpr PhiloxStep philox_step(PhiloxStream const& stream, std::uint32_t step) {
  std::uint64_t const p1 = std::uint64_t{philox_multiplier_1} * step;
  auto const c0 =
      static_cast<std::uint32_t>(p1 >> 32) ^ stream.word_1 ^ static_cast<std::uint32_t>(stream.key);
  std::uint64_t const p0 = std::uint64_t{philox_multiplier_0} * c0;
  return {static_cast<std::uint32_t>(p1), p0 >> 32, static_cast<std::uint32_t>(p0)};
}

}  // namespace makespan::simd

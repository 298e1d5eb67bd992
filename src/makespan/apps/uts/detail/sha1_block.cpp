// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/uts/detail/sha1_block.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "makespan/base/contracts.hpp"

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace makespan::uts {

namespace {

using Words = std::array<std::uint32_t, 5>;
using Block = std::array<std::byte, 64>;

constexpr Words initial{0x67452301U, 0xEFCDAB89U, 0x98BADCFEU, 0x10325476U, 0xC3D2E1F0U};

// The message, a bit that is set, zeros, and its length in bits.
Block padded(std::span<std::byte const> message) {
  MAKESPAN_EXPECT(message.size() <= one_block_max);
  Block block{};
  std::ranges::copy(message, block.begin());
  block[message.size()] = std::byte{0x80};
  std::size_t const bits = 8 * message.size();
  block[62] = static_cast<std::byte>(bits >> 8U);
  block[63] = static_cast<std::byte>(bits & 0xFFU);
  return block;
}

Digest digest_of(Words const& words) {
  Digest digest;
  for (std::size_t word = 0; word < words.size(); ++word) {
    for (std::size_t at = 0; at < 4; ++at) {
      digest[4 * word + at] = static_cast<std::byte>(words[word] >> (24U - 8U * at));
    }
  }
  return digest;
}

Words in_plain(Block const& block) {
  std::array<std::uint32_t, 80> w{};
  for (std::size_t t = 0; t < 16; ++t) {
    for (std::size_t at = 0; at < 4; ++at) {
      w[t] = (w[t] << 8U) | std::to_integer<std::uint32_t>(block[4 * t + at]);
    }
  }
  for (std::size_t t = 16; t < 80; ++t) {
    w[t] = std::rotl(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
  }
  auto [a, b, c, d, e] = initial;
  auto const round = [&](std::size_t t, std::uint32_t f, std::uint32_t k) {
    std::uint32_t const next = std::rotl(a, 5) + f + e + k + w[t];
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  };
  for (std::size_t t = 0; t < 20; ++t) round(t, (b & c) | (~b & d), 0x5A827999U);
  for (std::size_t t = 20; t < 40; ++t) round(t, b ^ c ^ d, 0x6ED9EBA1U);
  for (std::size_t t = 40; t < 60; ++t) round(t, (b & c) | (b & d) | (c & d), 0x8F1BBCDCU);
  for (std::size_t t = 60; t < 80; ++t) round(t, b ^ c ^ d, 0xCA62C1D6U);
  return {initial[0] + a, initial[1] + b, initial[2] + c, initial[3] + d, initial[4] + e};
}

#ifdef __x86_64__

// CPUID leaf 7, EBX bit 29; and SSE 4.1 for the words' order.
bool has_sha_instructions() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return false;
  constexpr unsigned sha_bit = 29;
  return ((b >> sha_bit) & 1U) != 0 && __builtin_cpu_supports("sse4.1") != 0;
}

// Four rounds at a time; the schedule's words come four at a time, too.
__attribute__((target("sha,sse4.1"))) Words by_instructions(Block const& block) {
  __m128i const to_words = _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);
  __m128i const abcd_first =
      _mm_set_epi32(static_cast<int>(initial[0]), static_cast<int>(initial[1]),
                    static_cast<int>(initial[2]), static_cast<int>(initial[3]));
  __m128i const e_first = _mm_set_epi32(static_cast<int>(initial[4]), 0, 0, 0);
  __m128i w[20];  // NOLINT(modernize-avoid-c-arrays): std::array drops the type's attributes
  __m128i abcd = abcd_first;
  __m128i before = abcd_first;
  auto const four_rounds =
      [&]<std::size_t t>(std::integral_constant<std::size_t, t>)
          __attribute__((target("sha,sse4.1"))) {
            if constexpr (t < 4) {
              auto const* const at = reinterpret_cast<__m128i const*>(block.data() + 16 * t);
              w[t] = _mm_shuffle_epi8(_mm_loadu_si128(at), to_words);
            } else {
              w[t] = _mm_sha1msg2_epu32(
                  _mm_xor_si128(_mm_sha1msg1_epu32(w[t - 4], w[t - 3]), w[t - 2]), w[t - 1]);
            }
            __m128i e_and_words{};
            if constexpr (t == 0) {
              e_and_words = _mm_add_epi32(e_first, w[0]);
            } else {
              // e of now is a of four rounds ago, rotated.
              e_and_words = _mm_sha1nexte_epu32(before, w[t]);
            }
            before = abcd;
            // Function and constant change after 20 rounds: after five of these.
            abcd = _mm_sha1rnds4_epu32(abcd, e_and_words, static_cast<int>(t / 5));
          };
  [&]<std::size_t... t>(std::index_sequence<t...>) __attribute__((target("sha,sse4.1"))) {
    (four_rounds(std::integral_constant<std::size_t, t>{}), ...);
  }(std::make_index_sequence<20>{});
  __m128i const e = _mm_sha1nexte_epu32(before, e_first);
  abcd = _mm_add_epi32(abcd, abcd_first);
  return {static_cast<std::uint32_t>(_mm_extract_epi32(abcd, 3)),
          static_cast<std::uint32_t>(_mm_extract_epi32(abcd, 2)),
          static_cast<std::uint32_t>(_mm_extract_epi32(abcd, 1)),
          static_cast<std::uint32_t>(_mm_extract_epi32(abcd, 0)),
          static_cast<std::uint32_t>(_mm_extract_epi32(e, 3))};
}

#endif

using Compress = Words (*)(Block const& block);

Compress chosen() {
#ifdef __x86_64__
  if (has_sha_instructions()) return &by_instructions;
#endif
  return &in_plain;
}

}  // namespace

Digest sha1_of(std::span<std::byte const> message) {
  static Compress const compress = chosen();
  return digest_of(compress(padded(message)));
}

Digest sha1_in_plain_of(std::span<std::byte const> message) {
  return digest_of(in_plain(padded(message)));
}

}  // namespace makespan::uts

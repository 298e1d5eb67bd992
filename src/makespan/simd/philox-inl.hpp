// SPDX-License-Identifier: Apache-2.0
// Philox4x32 over many paths at once, one path per lane, for the bodies of kernels.
//
// A counter's words live in the low halves of 64-bit lanes, since that is what the widening
// multiply reads and writes; what lies above is never looked at. The first two rounds are split
// into a part per path (here, once per path) and a part per step (PhiloxStep, once per option),
// which leaves rounds - 2 for the loop.

#if defined(MAKESPAN_SIMD_PHILOX_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_SIMD_PHILOX_INL_HPP
#undef MAKESPAN_SIMD_PHILOX_INL_HPP
#else
#define MAKESPAN_SIMD_PHILOX_INL_HPP
#endif

#include "makespan/simd/philox.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::simd::MAKESPAN_TARGET {

// What the first two rounds make of the path words: `parts` vectors of 64-bit lanes.
template <int parts>
struct PhiloxPaths {
  Vec<U64> xor_0[parts];
  Vec<U64> word_1[parts];
  Vec<U64> xor_2[parts];
};

// `path[i]`: path numbers of part i, in the low halves.
template <int parts>
MAKESPAN_BODY PhiloxPaths<parts> StartPhilox(Vec<U64> const (&path)[parts],
                                             PhiloxStream const& stream,
                                             PhiloxRoundKeys const& keys) {
  U64 const d;
  PhiloxPaths<parts> state;
  MAKESPAN_UNROLL
  for (int i = 0; i < parts; ++i) {
    // Round 1 of the words that the path is in, then the half of round 2 that reads only these;
    // philox_step() has the other halves.
    Vec<U64> const p0 = MulLow32(path[i], philox_multiplier_0);
    Vec<U64> const c2 =
        Xor3(HighHalf(p0), Set(d, std::uint64_t{stream.word_3}), Set(d, keys.k1[0]));
    Vec<U64> const p1 = MulLow32(c2, philox_multiplier_1);
    state.xor_0[i] = Xor(HighHalf(p1), Set(d, keys.k0[1]));
    state.word_1[i] = p1;
    state.xor_2[i] = Xor(p0, Set(d, keys.k1[1]));
  }
  return state;
}

// One counter of each path on its way through the rounds, in half rounds so that a caller can put
// other work between them: the multiplications of a round (even), then its exclusive-ors (odd).
// Those of the last round are left to the caller, who does them on merged lanes, half as many.
template <int parts>
struct PhiloxRounds {
  Vec<U64> c0[parts];
  Vec<U64> c1[parts];
  Vec<U64> c2[parts];
  Vec<U64> c3[parts];
  Vec<U64> p0[parts];
  Vec<U64> p1[parts];
};

// Half rounds that follow the two that StartPhilox and PhiloxStep have taken.
template <int rounds>
inline constexpr int philox_half_rounds = 2 * (rounds - 2) - 1;

template <int parts>
MAKESPAN_BODY void BeginRounds(PhiloxPaths<parts> const& paths, PhiloxStep const& step,
                               PhiloxRounds<parts>& at) {
  U64 const d;
  MAKESPAN_UNROLL
  for (int i = 0; i < parts; ++i) {
    at.c0[i] = Xor(paths.xor_0[i], Set(d, step.xor_0));
    at.c1[i] = paths.word_1[i];
    at.c2[i] = Xor(paths.xor_2[i], Set(d, step.xor_2));
    at.c3[i] = Set(d, step.word_3);
  }
}

template <int parts>
MAKESPAN_BODY void HalfRound(int half_round, PhiloxRoundKeys const& keys, PhiloxRounds<parts>& at) {
  U64 const d;
  int const round = 2 + half_round / 2;
  MAKESPAN_UNROLL
  for (int i = 0; i < parts; ++i) {
    if (half_round % 2 == 0) {
      at.p0[i] = MulLow32(at.c0[i], philox_multiplier_0);
      at.p1[i] = MulLow32(at.c2[i], philox_multiplier_1);
    } else {
      at.c0[i] = Xor3(HighHalf(at.p1[i]), at.c1[i], Set(d, keys.k0[round]));
      at.c2[i] = Xor3(HighHalf(at.p0[i]), at.c3[i], Set(d, keys.k1[round]));
      at.c1[i] = at.p1[i];
      at.c3[i] = at.p0[i];
    }
  }
}

template <int rounds, int parts>
MAKESPAN_BODY PhiloxRounds<parts> RunRounds(PhiloxPaths<parts> const& paths, PhiloxStep const& step,
                                            PhiloxRoundKeys const& keys) {
  static_assert(rounds > 2 && rounds <= philox_rounds_max);
  PhiloxRounds<parts> at;
  BeginRounds(paths, step, at);
  MAKESPAN_UNROLL
  for (int half = 0; half < philox_half_rounds<rounds>; ++half) HalfRound(half, keys, at);
  return at;
}

// Words 0..3 of `vectors` vectors of 32-bit lanes after all half rounds. Part `halves * v + h`
// holds part h of vector v.
template <int rounds, int vectors>
MAKESPAN_BODY void EndRounds(PhiloxRounds<halves * vectors> const& last,
                             PhiloxRoundKeys const& keys, Vec<U32> (&word)[4][vectors]) {
  U32 const d;
  auto const k0 = Set(d, static_cast<std::uint32_t>(keys.k0[rounds - 1]));
  auto const k1 = Set(d, static_cast<std::uint32_t>(keys.k1[rounds - 1]));
  MAKESPAN_UNROLL
  for (int v = 0; v < vectors; ++v) {
    Vec<U64> p0[halves];
    Vec<U64> p1[halves];
    Vec<U64> c1[halves];
    Vec<U64> c3[halves];
    for (int h = 0; h < halves; ++h) {
      p0[h] = last.p0[halves * v + h];
      p1[h] = last.p1[halves * v + h];
      c1[h] = last.c1[halves * v + h];
      c3[h] = last.c3[halves * v + h];
    }
    word[0][v] = Xor3(MergeHigh(p1), MergeLow(c1), k0);
    word[1][v] = MergeLow(p1);
    word[2][v] = Xor3(MergeHigh(p0), MergeLow(c3), k1);
    word[3][v] = MergeLow(p0);
  }
}

template <int rounds, int vectors>
MAKESPAN_BODY void PhiloxWords(PhiloxPaths<halves * vectors> const& paths, PhiloxStep const& step,
                               PhiloxRoundKeys const& keys, Vec<U32> (&word)[4][vectors]) {
  EndRounds<rounds, vectors>(RunRounds<rounds, halves * vectors>(paths, step, keys), keys, word);
}

// Two 64-bit words of `parts` vectors of 64-bit lanes: (word 0, word 1) and (word 2, word 3), each
// high half first.
template <int rounds, int parts>
MAKESPAN_BODY void PhiloxWords64(PhiloxPaths<parts> const& paths, PhiloxStep const& step,
                                 PhiloxRoundKeys const& keys, Vec<U64> (&word)[2][parts]) {
  U64 const d;
  auto const last = RunRounds<rounds, parts>(paths, step, keys);
  auto const low = Set(d, std::uint64_t{0xffffffffU});
  MAKESPAN_UNROLL
  for (int i = 0; i < parts; ++i) {
    auto const w0 = Xor3(ShiftRight<32>(last.p1[i]), last.c1[i], Set(d, keys.k0[rounds - 1]));
    auto const w2 = Xor3(ShiftRight<32>(last.p0[i]), last.c3[i], Set(d, keys.k1[rounds - 1]));
    word[0][i] = Or(ShiftLeft<32>(w0), And(last.p1[i], low));
    word[1][i] = Or(ShiftLeft<32>(w2), And(last.p0[i], low));
  }
}

}  // namespace makespan::simd::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_SIMD_PHILOX_INL_HPP

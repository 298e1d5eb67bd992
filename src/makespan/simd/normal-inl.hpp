// SPDX-License-Identifier: Apache-2.0
// Standard normals from random words: Box-Muller for pseudo-random words, the inverse distribution
// for low-discrepancy ones.

#if defined(MAKESPAN_SIMD_NORMAL_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_SIMD_NORMAL_INL_HPP
#undef MAKESPAN_SIMD_NORMAL_INL_HPP
#else
#define MAKESPAN_SIMD_NORMAL_INL_HPP
#endif

#include "makespan/simd/detail/normal_coefficients.hpp"
#include "makespan/simd/math-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::simd::MAKESPAN_TARGET {

// `count` pairs of normals on their way from pairs of words, in stages that go over all pairs, so
// that latencies overlap and a caller can put other work between them.
//
// The first word gives the radius from its 31-bit magnitude and the sign of the cosine from its
// sign bit; the second the angle in
// [-pi/2, pi/2]: no quadrants to sort out. |z| <= 6.56; absolute error below 2e-6 where the radius
// is above 0.05. Source: G. E. P. Box, M. E. Muller, Annals of Math. Statistics 29 (1958) 610-611.
template <int count>
struct BoxMullerPairs {
  Vec<U32> radius_word[count];
  Vec<F32> e[count];  // exponent, then the radius
  Vec<F32> t[count];  // mantissa - 1
  Vec<F32> q[count];  // -2 ln(1 + t) / t
  Vec<F32> u[count];  // angle / pi
  Vec<F32> u2[count];
  Vec<F32> sine[count];
  Vec<F32> cosine[count];
};

inline constexpr int box_muller_stages = 12;

template <int count>
MAKESPAN_BODY void BeginBoxMuller(Vec<U32> const (&radius_word)[count],
                                  Vec<U32> const (&angle_word)[count], BoxMullerPairs<count>& at) {
  F32 const d;
  I32 const di;
  MAKESPAN_UNROLL
  for (int i = 0; i < count; ++i) {
    // The lowest bit is set: a magnitude of 0 has no logarithm, and one of 2^31 (rounded up) has
    // exactly 0.
    at.radius_word[i] = radius_word[i];
    at.t[i] = ConvertTo(d, BitCast(di, Or(radius_word[i], Set(U32(), 1U))));
    at.u[i] = ConvertTo(d, BitCast(di, angle_word[i]));
  }
}

// One term of the three polynomials' Horner schemes: q at every stage, sine and cosine in turn.
template <int count>
MAKESPAN_BODY void PolynomialStage(int stage, BoxMullerPairs<count>& at) {
  F32 const d;
  int const log_term = 9 - stage;  // stages 3 .. 9 take coefficients 6 .. 0
  int const angle_term =
      (9 - stage) /
      2;  // sine at odd stages 3, 5, …; cosine at the even ones that follow, and at 10
  MAKESPAN_UNROLL
  for (int i = 0; i < count; ++i) {
    auto const before = stage == 3 ? Set(d, log_coefficients[7]) : at.q[i];
    at.q[i] = MulAdd(before, at.t[i], Set(d, log_coefficients[log_term]));
    if (stage % 2 == 1) {
      auto const sine = stage == 3 ? Set(d, sine_coefficients[4]) : at.sine[i];
      at.sine[i] = MulAdd(sine, at.u2[i], Set(d, sine_coefficients[angle_term]));
    } else {
      auto const cosine = stage == 4 ? Set(d, cosine_coefficients[4]) : at.cosine[i];
      at.cosine[i] = MulAdd(cosine, at.u2[i], Set(d, cosine_coefficients[angle_term + 1]));
    }
  }
}

// Stages 0 .. box_muller_stages - 1, in order.
template <int count>
MAKESPAN_BODY void BoxMullerStage(int stage, BoxMullerPairs<count>& at) {
  F32 const d;
  U32 const du;
  constexpr float two_ln2 = 1.38629436F;
  if (stage >= 3 && stage <= 9) return PolynomialStage(stage, at);
  MAKESPAN_UNROLL
  for (int i = 0; i < count; ++i) {
    if (stage == 0) {
      at.e[i] = ExponentOfTwice(at.t[i]);
      at.u[i] = Mul(at.u[i], Set(d, 0x1p-32F));
    } else if (stage == 1) {
      at.t[i] = Mantissa(at.t[i]);
      at.u2[i] = Mul(at.u[i], at.u[i]);
    } else if (stage == 2) {
      at.t[i] = Sub(at.t[i], Set(d, 1.0F));
      // -2 ln(2^e / 2^32): the magnitude is in units of 2^-31, and e the exponent of twice it.
      at.e[i] = MulAdd(at.e[i], Set(d, -two_ln2), Set(d, 32 * two_ln2));
    } else if (stage == 10) {
      at.e[i] = MulAdd(at.q[i], at.t[i], at.e[i]);
      at.cosine[i] = MulAdd(at.cosine[i], at.u2[i], Set(d, cosine_coefficients[0]));
      at.sine[i] = Mul(at.sine[i], at.u[i]);
    } else {
      at.e[i] = Sqrt(at.e[i]);
      at.cosine[i] =
          BitCast(d, XorAnd(BitCast(du, at.cosine[i]), at.radius_word[i], Set(du, 0x80000000U)));
    }
  }
}

template <int count>
MAKESPAN_BODY void EndBoxMuller(BoxMullerPairs<count> const& at, Vec<F32> (&sine)[count],
                                Vec<F32> (&cosine)[count]) {
  MAKESPAN_UNROLL
  for (int i = 0; i < count; ++i) {
    sine[i] = Mul(at.sine[i], at.e[i]);
    cosine[i] = Mul(at.cosine[i], at.e[i]);
  }
}

template <int count>
MAKESPAN_BODY void BoxMuller(Vec<U32> const (&radius_word)[count],
                             Vec<U32> const (&angle_word)[count], Vec<F32> (&sine)[count],
                             Vec<F32> (&cosine)[count]) {
  BoxMullerPairs<count> at;
  BeginBoxMuller(radius_word, angle_word, at);
  MAKESPAN_UNROLL
  for (int stage = 0; stage < box_muller_stages; ++stage) BoxMullerStage(stage, at);
  EndBoxMuller(at, sine, cosine);
}

// The double-precision pair of two 64-bit words. Absolute error below 5e-15.
MAKESPAN_BODY void BoxMuller(Vec<U64> radius_word, Vec<U64> angle_word, Vec<F64>& sine,
                             Vec<F64>& cosine) {
  F64 const d;
  U64 const du;
  auto const one = Set(du, std::uint64_t{0x3ff0000000000000});
  auto const half_step = Set(d, 0x1p-53);
  // 52 bits as a double in [1, 2), moved to the middle of its step: never 0, never 1.
  auto const uniform =
      Sub(BitCast(d, Or(ShiftRight<12>(radius_word), one)), Sub(Set(d, 1.0), half_step));
  auto const u = Add(Sub(BitCast(d, Or(ShiftRight<12>(angle_word), one)), Set(d, 1.5)), half_step);
  // The sign of the cosine is the radius word's lowest bit, which `uniform` has not used.
  auto const radius = Sqrt(Mul(Set(d, -2.0), Log(d, uniform)));
  sine = Mul(SinPi(d, u), radius);
  cosine = Mul(BitCast(d, Xor(BitCast(du, CosPi(d, u)), ShiftLeft<63>(radius_word))), radius);
}

// The normal at the probability (word + 1/2) / 2^32, from a table of one polynomial per octave of
// the distance to the nearer end. Absolute error below 8e-7, the tails included, but at the two
// outermost words, which are taken for their neighbours; |z| <= 6.24.
MAKESPAN_BODY Vec<F32> InverseNormal32(Vec<U32> word) {
  F32 const d;
  I32 const di;
  U32 const du;
  auto const sign = ShiftRight<31>(BitCast(di, word));  // all ones in the upper half
  auto const magnitude = ConvertTo(d, Xor(BitCast(di, word), sign));
  auto const f = Max(Add(magnitude, Set(d, 0.5F)), Set(d, 1.0F));
  auto const bits = BitCast(di, f);
  // f is 1 to 2^31, and its exponent's field 127 to 158: modulo 32 the outermost octave is column
  // 31, and f = 2^31, the middle, column 30, whose polynomial is 0
  // (tools/fit_normal_coefficients.py).
  auto const octave = And(ShiftRight<23>(bits), Set(di, 31));
  auto const t =
      Sub(BitCast(d, Or(And(bits, Set(di, 0x007fffff)), Set(di, 0x3f800000))), Set(d, 1.5F));
  auto z = Lookup32(inverse_normal_table[inverse_normal_degree], octave);
  MAKESPAN_UNROLL
  for (int c = inverse_normal_degree - 1; c >= 0; --c)
    z = MulAdd(z, t, Lookup32(inverse_normal_table[c], octave));
  auto const flip = And(Xor(BitCast(du, sign), Set(du, 0xffffffffU)), Set(du, 0x80000000U));
  return BitCast(d, Xor(BitCast(du, z), flip));
}

}  // namespace makespan::simd::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_SIMD_NORMAL_INL_HPP

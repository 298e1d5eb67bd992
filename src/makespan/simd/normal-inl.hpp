// SPDX-License-Identifier: Apache-2.0
// Standard normals from random words: Box-Muller for pseudo-random words, the inverse distribution
// for low-discrepancy ones.

#if defined(MAKESPAN_SIMD_NORMAL_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_SIMD_NORMAL_INL_HPP
#undef MAKESPAN_SIMD_NORMAL_INL_HPP
#else
#define MAKESPAN_SIMD_NORMAL_INL_HPP
#endif

#include "makespan/simd/math-inl.hpp"
#include "makespan/simd/normal_coefficients.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::simd::MAKESPAN_TARGET {

// `count` pairs of normals from pairs of words, stage by stage over all pairs so that their
// latencies overlap.
//
// The first word gives the radius from its 31-bit magnitude and the sign of the cosine from its
// sign bit; the second the angle in [-pi/2, pi/2]: no quadrants to sort out. |z| <= 6.56; absolute
// error below 2e-6 where the radius is above 0.05. Source: G. E. P. Box, M. E. Muller, Annals of
// Math. Statistics 29 (1958) 610-611.
template <int count>
MAKESPAN_BODY void BoxMuller(Vec<U32> const (&radius_word)[count],
                             Vec<U32> const (&angle_word)[count], Vec<F32> (&sine)[count],
                             Vec<F32> (&cosine)[count]) {
  F32 const d;
  I32 const di;
  U32 const du;
  constexpr float two_ln2 = 1.38629436F;
  Vec<F32> t[count];
  Vec<F32> e[count];
  Vec<F32> u[count];
  Vec<F32> u2[count];
  Vec<F32> q[count];
  MAKESPAN_UNROLL
  for (int i = 0; i < count; ++i) {
    // The lowest bit is set: a magnitude of 0 has no logarithm, and one of 2^31 (rounded up) has
    // exactly 0.
    auto const x = ConvertTo(d, BitCast(di, Or(radius_word[i], Set(du, 1U))));
    e[i] = ExponentOfTwice(x);
    t[i] = Mantissa(x);
    u[i] = ConvertTo(d, BitCast(di, angle_word[i]));
  }
  MAKESPAN_UNROLL
  for (int i = 0; i < count; ++i) {
    t[i] = Sub(t[i], Set(d, 1.0F));
    u[i] = Mul(u[i], Set(d, 0x1p-32F));
    e[i] = MulAdd(e[i], Set(d, -two_ln2), Set(d, 32 * two_ln2));
  }
  MAKESPAN_UNROLL
  for (int i = 0; i < count; ++i) {
    u2[i] = Mul(u[i], u[i]);
    q[i] = MulAdd(Set(d, log_coefficients[7]), t[i], Set(d, log_coefficients[6]));
    q[i] = MulAdd(q[i], t[i], Set(d, log_coefficients[5]));
    sine[i] = MulAdd(Set(d, sine_coefficients[4]), u2[i], Set(d, sine_coefficients[3]));
    cosine[i] = MulAdd(Set(d, cosine_coefficients[4]), u2[i], Set(d, cosine_coefficients[3]));
  }
  MAKESPAN_UNROLL
  for (int degree = 2; degree >= 0; --degree) {
    MAKESPAN_UNROLL
    for (int i = 0; i < count; ++i) {
      q[i] = MulAdd(q[i], t[i], Set(d, log_coefficients[degree + 2]));
      sine[i] = MulAdd(sine[i], u2[i], Set(d, sine_coefficients[degree]));
      cosine[i] = MulAdd(cosine[i], u2[i], Set(d, cosine_coefficients[degree]));
    }
  }
  MAKESPAN_UNROLL
  for (int i = 0; i < count; ++i) {
    q[i] = MulAdd(q[i], t[i], Set(d, log_coefficients[1]));
    q[i] = MulAdd(q[i], t[i], Set(d, log_coefficients[0]));
    auto const radius = Sqrt(MulAdd(q[i], t[i], e[i]));
    auto const sign = Set(du, 0x80000000U);
    sine[i] = Mul(Mul(sine[i], u[i]), radius);
    cosine[i] = Mul(BitCast(d, XorAnd(BitCast(du, cosine[i]), radius_word[i], sign)), radius);
  }
}

// The double-precision pair of two 64-bit words. Absolute error below 1e-15.
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
  auto const radius = Sqrt(Mul(Set(d, -2.0), Log(d, uniform)));
  sine = Mul(SinPi(d, u), radius);
  cosine = Mul(BitCast(d, Xor(BitCast(du, CosPi(d, u)), ShiftLeft<63>(radius_word))), radius);
}

// The normal at the probability (word + 1/2) / 2^32, from a table of one polynomial per octave of
// the distance to the nearer end. Absolute error below 8e-7 everywhere, the tails included; |z|
// <= 6.34.
MAKESPAN_BODY Vec<F32> InverseNormal32(Vec<U32> word) {
  F32 const d;
  I32 const di;
  U32 const du;
  auto const sign = ShiftRight<31>(BitCast(di, word));  // all ones in the upper half
  auto const magnitude = ConvertTo(d, Xor(BitCast(di, word), sign));
  auto const f = Max(Add(magnitude, Set(d, 0.5F)), Set(d, 1.0F));
  auto const bits = BitCast(di, f);
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

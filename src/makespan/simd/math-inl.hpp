// SPDX-License-Identifier: Apache-2.0
// exp, log, sin, cos and the inverse normal distribution from correctly rounded operations alone,
// so that they have the same bits everywhere; no math library is called on any path. Errors are
// those measured by tests/simd/math_test.cpp.

#if defined(MAKESPAN_SIMD_MATH_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_SIMD_MATH_INL_HPP
#undef MAKESPAN_SIMD_MATH_INL_HPP
#else
#define MAKESPAN_SIMD_MATH_INL_HPP
#endif

#include "makespan/simd/detail/math_coefficients.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::simd::MAKESPAN_TARGET {

// Horner's rule; coefficients lowest power first.
template <class D, class T, int count>
MAKESPAN_BODY Vec<D> Polynomial(D d, Vec<D> x, T const (&coefficient)[count]) {
  Vec<D> sum = Set(d, coefficient[count - 1]);
  MAKESPAN_UNROLL
  for (int i = count - 2; i >= 0; --i) sum = MulAdd(sum, x, Set(d, coefficient[i]));
  return sum;
}

// e^x; x is clamped to ±87. Relative error below 1.2e-7.
MAKESPAN_BODY Vec<F32> Exp(F32 d, Vec<F32> x) {
  U32 const du;
  auto const magic = Set(
      d, 12582912.0F);  // 1.5 · 2^23: adding it rounds to an integer, which its low bits then hold
  // Within these the number that is added to the exponent below leaves it that of a normal number.
  x = Min(Max(x, Set(d, -87.0F)), Set(d, 87.0F));
  auto const shifted = MulAdd(x, Set(d, 1.442695041F), magic);
  auto const k = Sub(shifted, magic);
  auto r = NegMulAdd(k, Set(d, ln2_high_f32), x);
  r = NegMulAdd(k, Set(d, ln2_low_f32), r);
  auto const value = MulAdd(Polynomial(d, r, expm1_over_x_f32), r, Set(d, 1.0F));
  return BitCast(d, Add(BitCast(du, value), ShiftLeft<23>(BitCast(du, shifted))));
}

// e^x; x is clamped to ±708. Relative error below 2.3e-16.
MAKESPAN_BODY Vec<F64> Exp(F64 d, Vec<F64> x) {
  U64 const du;
  auto const magic = Set(d, 6755399441055744.0);  // 1.5 · 2^52
  // As for floats: the result is a normal number.
  x = Min(Max(x, Set(d, -708.0)), Set(d, 708.0));
  auto const shifted = MulAdd(x, Set(d, 1.4426950408889634), magic);
  auto const k = Sub(shifted, magic);
  auto r = NegMulAdd(k, Set(d, ln2_high_f64), x);
  r = NegMulAdd(k, Set(d, ln2_low_f64), r);
  auto const value = MulAdd(Polynomial(d, r, expm1_over_x_f64), r, Set(d, 1.0));
  return BitCast(d, Add(BitCast(du, value), ShiftLeft<52>(BitCast(du, shifted))));
}

// ln x for positive normal x. Absolute error below 1e-16 near 1, relative error below 4e-16
// elsewhere.
MAKESPAN_BODY Vec<F64> Log(F64 d, Vec<F64> x) {
  U64 const du;
  // x = m · 2^e with m in [0.75, 1.5): what is over the bits of 0.75 is e in the exponent field and
  // m below it.
  auto const over = Sub(BitCast(du, x), Set(du, std::uint64_t{0x3fe8000000000000}));
  auto const m = BitCast(d, Add(And(over, Set(du, std::uint64_t{0x000fffffffffffff})),
                                Set(du, std::uint64_t{0x3fe8000000000000})));
  // e + 2048 is positive, and in the low bits of 2^52 it is a double: no conversion from 64-bit
  // integers needed.
  auto const biased = ShiftRight<52>(Add(over, Set(du, std::uint64_t{0x8000000000000000})));
  auto const e = Sub(BitCast(d, Or(biased, Set(du, std::uint64_t{0x4330000000000000}))),
                     Set(d, 4503599627372544.0));
  auto const s = Div(Sub(m, Set(d, 1.0)), Add(m, Set(d, 1.0)));
  auto const s2 = Mul(s, s);
  auto const tail = Mul(Mul(s, s2), Polynomial(d, s2, atanh_tail_f64));
  auto const low = MulAdd(e, Set(d, ln2_low_f64), tail);
  return MulAdd(e, Set(d, ln2_high_f64), MulAdd(s, Set(d, 2.0), low));
}

// ln((1 + s) / (1 - s)) for |s| <= 0.2. Absolute error below 4e-17.
MAKESPAN_BODY Vec<F64> LogOfRatio(F64 d, Vec<F64> s) {
  auto const s2 = Mul(s, s);
  auto const tail = Mul(Mul(s, s2), Polynomial(d, s2, atanh_tail_f64));
  return MulAdd(s, Set(d, 2.0), tail);
}

// sin(pi u) and cos(pi u) for |u| <= 1/2. Absolute error below 4e-16.
MAKESPAN_BODY Vec<F64> SinPi(F64 d, Vec<F64> u) {
  return Mul(u, Polynomial(d, Mul(u, u), sin_pi_f64));
}
MAKESPAN_BODY Vec<F64> CosPi(F64 d, Vec<F64> u) {
  return Polynomial(d, Mul(u, u), cos_pi_f64);
}

// The z with Phi(z) = p, for p in (0, 1). Relative error about 1e-15.
// Source: M. J. Wichura, "Algorithm AS 241", Applied Statistics 37 (1988) 477-484, PPND16.
MAKESPAN_BODY Vec<F64> InverseNormal(F64 d, Vec<F64> p) {
  auto const q = Sub(p, Set(d, 0.5));
  // 0.425^2 - q^2: above 0 where AS 241 takes its central formula. All three are computed: lanes of
  // a vector may need different ones.
  auto const central_r = NegMulAdd(q, q, Set(d, 0.180625));
  auto const central =
      Div(Mul(q, Polynomial(d, central_r, as241_a)), Polynomial(d, central_r, as241_b));
  auto const tail_p = Min(p, Sub(Set(d, 1.0), p));
  auto const r = Sqrt(Sub(Zero(d), Log(d, tail_p)));
  auto const near_r = Sub(r, Set(d, 1.6));
  auto const far_r = Sub(r, Set(d, 5.0));
  auto const near = Div(Polynomial(d, near_r, as241_c), Polynomial(d, near_r, as241_d));
  auto const far = Div(Polynomial(d, far_r, as241_e), Polynomial(d, far_r, as241_f));
  auto const magnitude = IfThenElse(Gt(r, Set(d, 5.0)), far, near);
  auto const tail = IfThenElse(Gt(q, Zero(d)), magnitude, Sub(Zero(d), magnitude));
  return IfThenElse(Gt(central_r, Zero(d)), central, tail);
}

// Phi(x), the standard normal distribution function. Relative error below 3e-13 for x > -37, below
// which it is 0. Source: W. J. Cody, "Rational Chebyshev approximation for the error function",
// Math. Comp. 23 (1969) 631-637.
MAKESPAN_BODY Vec<F64> NormalCdf(F64 d, Vec<F64> x) {
  auto const zero = Zero(d);
  auto const negative = Gt(zero, x);
  auto const y = Mul(IfThenElse(negative, Sub(zero, x), x), Set(d, 0.70710678118654752));
  auto const y2 = Mul(y, y);
  auto const near_s = Min(y2, Set(d, 0.25));
  auto const near =
      Mul(y, Div(Polynomial(d, near_s, erf_near_p), Polynomial(d, near_s, erf_near_q)));
  auto const middle_y = Min(Max(y, Set(d, 0.46875)), Set(d, 4.0));
  auto const middle =
      Div(Polynomial(d, middle_y, erfc_middle_p), Polynomial(d, middle_y, erfc_middle_q));
  auto const far_y = Max(y, Set(d, 4.0));
  auto const s = Div(Set(d, 1.0), Mul(far_y, far_y));
  auto const far_ratio = Div(Polynomial(d, s, erfc_far_p), Polynomial(d, s, erfc_far_q));
  auto const far = Div(NegMulAdd(s, far_ratio, Set(d, 0.56418958354775629)), far_y);
  // Exp() clamps at -708, where the tail would stay above 0 for ever.
  auto const decay = IfThenElse(Gt(y2, Set(d, 700.0)), zero, Exp(d, Sub(zero, y2)));
  auto const upper =
      Mul(Mul(Set(d, 0.5), decay), IfThenElse(Gt(y, Set(d, 4.0)), far, middle));  // Phi(-|x|)
  auto const outer = IfThenElse(negative, upper, Sub(Set(d, 1.0), upper));
  auto const signed_near = IfThenElse(negative, Sub(zero, near), near);
  auto const inner = MulAdd(Set(d, 0.5), signed_near, Set(d, 0.5));
  return IfThenElse(Gt(y, Set(d, 0.46875)), outer, inner);
}

}  // namespace makespan::simd::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_SIMD_MATH_INL_HPP

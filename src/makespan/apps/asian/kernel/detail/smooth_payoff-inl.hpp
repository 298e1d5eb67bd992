// SPDX-License-Identifier: Apache-2.0
// The payoff of a path integrated along one direction of its normals (SmoothTerms): what is left
// has no kink. A. Griewank, F. Kuo, H. Leoevey, I. Sloan, J. Computational and Applied Mathematics
// 344 (2018) 259-274; here the integral is closed, since the sum of prices is a sum of exponentials
// of the direction's normal.

#if defined(MAKESPAN_ASIAN_SMOOTH_PAYOFF_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_ASIAN_SMOOTH_PAYOFF_INL_HPP
#undef MAKESPAN_ASIAN_SMOOTH_PAYOFF_INL_HPP
#else
#define MAKESPAN_ASIAN_SMOOTH_PAYOFF_INL_HPP
#endif

#include "makespan/apps/asian/kernel/payoff-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::asian::MAKESPAN_TARGET {
namespace hn = makespan::simd::MAKESPAN_TARGET;

// Means over the direction's normal.
struct SmoothOutputs {
  Doubles price;
  Doubles delta;
  Doubles gamma;
  Doubles average;  // of the payoff's sum itself
};

// The sum of prices as a function of the direction's normal x: scale · e^(centre u) · series(u)
// with u = x - centre, so that with the normal's density it is series(u) times a density of u.
struct SmoothSum {
  Doubles term[smooth_terms];
  Doubles scale;
};

MAKESPAN_BODY Doubles Series(Doubles const (&term)[smooth_terms], Doubles u) {
  Doubles sum = term[smooth_terms - 1];
  MAKESPAN_UNROLL
  for (int n = smooth_terms - 2; n >= 0; --n) sum = hn::MulAdd(sum, u, term[n]);
  return sum;
}

// `normal`: the path's own x. Coefficients of powers of u from the functionals, by repeated
// synthetic division.
MAKESPAN_BODY SmoothSum SumAlong(SmoothTerms const& smooth, Doubles const (&powers)[smooth_terms],
                                 Doubles normal) {
  SmoothSum out;
  double factor = 1;
  MAKESPAN_UNROLL
  for (int n = 0; n < smooth_terms; ++n) {
    out.term[n] = hn::Mul(powers[n], Of(factor));
    factor *= smooth.half / (n + 1);
  }
  // From powers of x - normal to those of x - centre.
  Doubles const shift = hn::Sub(Of(smooth.centre), normal);
  for (int first = 0; first < smooth_terms - 1; ++first) {
    for (int n = smooth_terms - 2; n >= first; --n) {
      out.term[n] = hn::MulAdd(out.term[n + 1], shift, out.term[n]);
    }
  }
  Doubles const exponent =
      hn::MulAdd(Of(-smooth.centre), normal, Of(0.5 * smooth.centre * smooth.centre));
  out.scale = hn::Exp(hn::F64(), exponent);
  return out;
}

// Where the sum is `level`, by Newton's method; the payoff's integral hardly depends on it.
MAKESPAN_BODY Doubles RootOf(SmoothTerms const& smooth, SmoothSum const& sum, double level,
                             Doubles& slope) {
  constexpr int iterations = 6;
  // Where the normal density is e^-72 of its peak: a root beyond weighs nothing.
  constexpr double far = 12;
  hn::F64 const d;
  double const centre = smooth.centre;
  Doubles u = Of(smooth.start - centre);
  slope = Of(1);
  for (int i = 0; i <= iterations; ++i) {
    Doubles value = sum.term[smooth_terms - 1];
    Doubles rise = Of(0);
    MAKESPAN_UNROLL
    for (int n = smooth_terms - 2; n >= 0; --n) {
      rise = hn::MulAdd(rise, u, value);
      value = hn::MulAdd(value, u, sum.term[n]);
    }
    Doubles const growth =
        hn::Mul(sum.scale, hn::Exp(d, hn::MulAdd(Of(centre), u, Of(0.5 * centre * centre))));
    Doubles const at = hn::Mul(growth, value);
    slope = hn::Mul(growth, hn::MulAdd(Of(centre), value, rise));
    // The last turn is for the slope at the root, of which gamma is made.
    if (i == iterations) break;
    Doubles const change = hn::Div(hn::Sub(at, Of(level)), slope);
    Doubles const bounded = hn::Min(hn::Max(change, Of(-2)), Of(2));
    u = hn::Min(hn::Max(hn::Sub(u, bounded), Of(-far)), Of(far));
  }
  return u;
}

// Of side (sum + constant - level)^+, `powers` and `normal` those of a path.
template <bool greeks>
MAKESPAN_BODY SmoothOutputs SmoothPrice(CommonTerms const& common, ArithmeticTerms const& terms,
                                        SmoothTerms const& smooth,
                                        Doubles const (&powers)[smooth_terms], Doubles normal) {
  hn::F64 const d;
  SmoothSum const sum = SumAlong(smooth, powers, normal);
  double const side = common.side;
  Doubles slope;
  Doubles const u = RootOf(smooth, sum, terms.level - terms.constant, slope);
  Doubles const x = hn::Add(u, Of(smooth.centre));
  Doubles const density =
      hn::Mul(Of(0.3989422804014327), hn::Exp(d, hn::Mul(Of(-0.5), hn::Mul(u, u))));
  // Moments of the normal u on the exercised side of the root, and of all of it; by parts, since
  // the density's derivative is -u times it.
  Doubles moment[smooth_terms];
  moment[0] = hn::NormalCdf(d, hn::Mul(Of(-side), u));
  Doubles edge = hn::Mul(Of(side), density);
  moment[1] = edge;
  double whole[smooth_terms] = {1, 0};
  Doubles exercised = hn::MulAdd(sum.term[1], moment[1], hn::Mul(sum.term[0], moment[0]));
  Doubles all = sum.term[0];
  MAKESPAN_UNROLL
  for (int n = 2; n < smooth_terms; ++n) {
    edge = hn::Mul(edge, u);
    moment[n] = hn::MulAdd(Of(n - 1), moment[n - 2], edge);
    whole[n] = (n - 1) * whole[n - 2];
    exercised = hn::MulAdd(sum.term[n], moment[n], exercised);
    if (n % 2 == 0) all = hn::MulAdd(sum.term[n], Of(whole[n]), all);
  }
  Doubles const probability = hn::NormalCdf(d, hn::Mul(Of(-side), x));
  Doubles const value = hn::Mul(sum.scale, exercised);
  SmoothOutputs out;
  out.average = hn::MulAdd(sum.scale, all, Of(terms.constant));
  // Far out of the money rounding is all that there is.
  out.price = hn::Max(
      hn::Mul(Of(side), hn::MulAdd(probability, Of(terms.constant - terms.level), value)), Of(0));
  out.delta = out.gamma = Of(0);
  if constexpr (greeks) {
    out.delta = hn::Mul(Of(side), hn::MulAdd(probability, Of(terms.constant), value));
    Doubles const at_root =
        hn::Mul(Of(0.3989422804014327), hn::Exp(d, hn::Mul(Of(-0.5), hn::Mul(x, x))));
    out.gamma = hn::Mul(Of(terms.gamma_scale), hn::Div(at_root, slope));
  }
  return out;
}

}  // namespace makespan::asian::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_ASIAN_SMOOTH_PAYOFF_INL_HPP

// SPDX-License-Identifier: Apache-2.0
// The next variance of Andersen's quadratic-exponential scheme (heston_plan.hpp), the correction
// that makes the price a martingale, and the derivatives of both that Greeks follow along a path.

#if defined(MAKESPAN_ASIAN_HESTON_VARIANCE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_ASIAN_HESTON_VARIANCE_INL_HPP
#undef MAKESPAN_ASIAN_HESTON_VARIANCE_INL_HPP
#else
#define MAKESPAN_ASIAN_HESTON_VARIANCE_INL_HPP
#endif

#include "makespan/apps/asian/kernel/heston_plan.hpp"
#include "makespan/simd/math-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::asian::MAKESPAN_TARGET {
namespace hn = makespan::simd::MAKESPAN_TARGET;

// Derivatives of the next variance and of the correction to the next variance's mean and variance
// (spread), given the normal; of the correction also to the step's exponent.
struct VarianceSlopes {
  hn::Vec<hn::F64> by_mean;
  hn::Vec<hn::F64> by_spread;
  hn::Vec<hn::F64> correction_by_mean;
  hn::Vec<hn::F64> correction_by_spread;
  hn::Vec<hn::F64> correction_by_exponent;
};

// The variance after a step, and K0 less its part that is linear in the variance before.
struct NextVariance {
  hn::Vec<hn::F64> variance;
  hn::Vec<hn::F64> correction;
  VarianceSlopes slopes;  // with Greeks
};

// Of the next variance, given the one before.
struct VarianceLaw {
  hn::Vec<hn::F64> mean;
  hn::Vec<hn::F64> mean_square;
  hn::Vec<hn::F64> spread;
};

// Where psi, the variance over the squared mean, is below this the next variance is a (b + Z)^2;
// above it has a mass at 0 and an exponential tail. The former exists up to 2, the latter from 1
// on: any switch between them serves (Andersen).
inline constexpr double psi_switch = 1.5;
// Arguments of logarithms stay above this, whatever the parameters.
inline constexpr double least_argument = 1e-200;
inline constexpr double least_share = 1e-100;

// Of a (b + Z)^2: with M = 2 mean^2, Q = sqrt(M (M - spread)) and P = M + Q Andersen's a is mean
// spread / P, a b^2 is mean - a, and what K0 takes the logarithm of is L / P.
struct QuadraticTerms {
  hn::Vec<hn::F64> m2;
  hn::Vec<hn::F64> q;
  hn::Vec<hn::F64> inverse_p;
  hn::Vec<hn::F64> inverse_share;  // P / L
  hn::Vec<hn::F64> a;
  hn::Vec<hn::F64> rest;  // a b^2
  hn::Vec<hn::F64> root;  // of a · rest
};

MAKESPAN_BODY VarianceSlopes QuadraticSlopes(HestonStep const& step, VarianceLaw const& law,
                                             QuadraticTerms const& at, hn::Vec<hn::F64> z) {
  hn::F64 const d;
  auto const of = [&](double x) { return hn::Set(d, x); };
  auto const root = hn::Max(at.root, of(least_share));
  auto const inverse = hn::Div(of(0.5), hn::Mul(at.q, root));
  auto const half_inverse_q = hn::Mul(inverse, root);
  auto const half_inverse_root = hn::Mul(inverse, at.q);
  auto const twice_mean = hn::Add(law.mean, law.mean);
  auto const q_by_m2 = hn::Mul(half_inverse_q, hn::Sub(hn::Add(at.m2, at.m2), law.spread));
  auto const p_by_mean = hn::Mul(hn::Add(twice_mean, twice_mean), hn::Add(of(1), q_by_m2));
  auto const p_by_spread = hn::Sub(of(0), hn::Mul(at.m2, half_inverse_q));
  auto const a_by_mean = hn::Mul(hn::NegMulAdd(at.a, p_by_mean, law.spread), at.inverse_p);
  auto const a_by_spread = hn::Mul(hn::NegMulAdd(at.a, p_by_spread, law.mean), at.inverse_p);
  auto const z2 = hn::Mul(z, z);
  auto const cross = hn::Mul(hn::Add(z, z), half_inverse_root);  // d(2 z root) / d(a rest)
  // The variance is a z^2 + rest + 2 z root, rest = mean - a.
  auto const by_a = hn::MulAdd(cross, hn::Sub(at.rest, at.a), hn::Sub(z2, of(1)));
  auto const by_rest = hn::MulAdd(cross, at.a, of(1));
  auto const scale = hn::Mul(of(-step.exponent), at.inverse_share);
  auto const by_share =
      hn::Mul(hn::Mul(of(2 * step.exponent), at.rest), at.inverse_share);  // 2 A rest / l
  VarianceSlopes out;
  out.by_mean = hn::MulAdd(a_by_mean, by_a, by_rest);
  out.by_spread = hn::Mul(a_by_spread, by_a);
  out.correction_by_mean = hn::Mul(scale, hn::MulAdd(by_share, a_by_mean, of(1)));
  out.correction_by_spread = hn::Mul(scale, hn::Mul(by_share, a_by_spread));
  out.correction_by_exponent =
      hn::Sub(of(0), hn::Mul(at.inverse_share, hn::MulAdd(by_share, at.a, law.mean)));
  return out;
}

// The next variance as a (b + Z)^2, but for what its correction is where L and P are far apart.
struct QuadraticDraw {
  NextVariance next;
  hn::Vec<hn::F64> linear;  // of the correction
  hn::Vec<hn::F64> ratio;   // (L - P) / (L + P)
  hn::Vec<hn::F64> share;   // L / P
};

// The logarithm's series serves to this ratio, either way.
inline constexpr double ratio_far = 0.2;

// One division serves all but the slopes.
template <bool greeks>
MAKESPAN_BODY QuadraticDraw QuadraticVariance(HestonStep const& step, VarianceLaw const& law,
                                              hn::Vec<hn::F64> z) {
  hn::F64 const d;
  auto const of = [&](double x) { return hn::Set(d, x); };
  // Where psi is above the switch the other branch counts; so bounded, the root below is one of a
  // positive number there, too.
  auto const m2 =
      hn::Max(hn::Add(law.mean_square, law.mean_square), hn::Mul(of(2 / psi_switch), law.spread));
  auto const q = hn::Sqrt(hn::Mul(m2, hn::Sub(m2, law.spread)));
  auto const p = hn::Add(m2, q);
  auto const product = hn::Mul(law.mean, law.spread);
  auto const l =
      hn::Max(hn::NegMulAdd(of(2 * step.exponent), product, p), hn::Mul(p, of(least_share)));
  auto const pl = hn::Mul(p, l);
  auto const both = hn::Add(l, p);
  auto const inverse = hn::Div(of(1), hn::Mul(pl, both));
  auto const inverse_pl = hn::Mul(inverse, both);
  auto const a = hn::Mul(hn::Mul(product, l), inverse_pl);
  auto const rest = hn::Sub(law.mean, a);
  auto const inverse_share = hn::Mul(hn::Mul(p, p), inverse_pl);
  auto const root = hn::Sqrt(hn::Max(hn::Mul(a, rest), of(0)));
  auto const cross = hn::Mul(hn::Add(z, z), root);
  auto const variance = hn::MulAdd(hn::Mul(a, z), z, hn::Add(rest, cross));
  QuadraticDraw out;
  out.linear = hn::Mul(hn::Mul(of(-step.exponent), rest), inverse_share);
  out.ratio = hn::Mul(hn::Mul(hn::Sub(l, p), pl), inverse);
  out.share = hn::Mul(hn::Mul(l, l), inverse_pl);
  out.next.variance = hn::Max(variance, of(0));
  out.next.correction = hn::MulAdd(of(0.5), hn::LogOfRatio(d, out.ratio), out.linear);
  if constexpr (greeks) {
    auto const inverse_p = hn::Mul(l, inverse_pl);
    out.next.slopes =
        QuadraticSlopes(step, law, {m2, q, inverse_p, inverse_share, a, rest, root}, z);
  }
  return out;
}

template <bool greeks>
MAKESPAN_BODY NextVariance ExponentialVariance(HestonStep const& step, VarianceLaw const& law,
                                               hn::Vec<hn::F64> z) {
  hn::F64 const d;
  auto const of = [&](double x) { return hn::Set(d, x); };
  auto const psi = hn::Div(law.spread, law.mean_square);
  auto const high = hn::Max(psi, of(psi_switch));
  auto const tail = hn::Div(of(2), hn::Add(high, of(1)));  // 1 - p, p the mass at 0
  auto const rate = hn::Div(tail, law.mean);
  auto const above = hn::Max(hn::NormalCdf(d, hn::Sub(of(0), z)), of(least_argument));  // 1 - U
  auto const tail_log = hn::Div(hn::Log(d, hn::Div(tail, above)), rate);
  // E[e^(A V')] is finite for an exponent A below the rate alone; the bound keeps numbers finite
  // where a step is too long for that.
  auto const gap = hn::Max(hn::Sub(rate, of(step.exponent)), of(least_argument));
  auto const mass = hn::Sub(of(1), tail);
  auto const transform = hn::Max(hn::MulAdd(rate, hn::Div(tail, gap), mass), of(least_argument));
  NextVariance out;
  out.variance = hn::Max(tail_log, of(0));
  out.correction = hn::Sub(of(0), hn::Log(d, transform));
  if constexpr (greeks) {
    // Of logarithms: of psi, of the tail, of the rate.
    auto const inverse_mean = hn::Div(of(1), law.mean);
    auto const half_tail = hn::Mul(of(-0.5), tail);
    auto const tail_by_mean = hn::Mul(hn::Mul(of(-2), hn::Mul(high, inverse_mean)), half_tail);
    auto const tail_by_spread = hn::Div(half_tail, law.mean_square);
    auto const rate_by_mean = hn::Sub(tail_by_mean, inverse_mean);
    auto const is_above = hn::Gt(tail_log, of(0));
    auto const inverse_rate = hn::Div(of(1), rate);
    auto const inverse_gap = hn::Div(of(1), gap);
    auto const rate_share = hn::Mul(rate, inverse_gap);
    auto const tail_share = hn::Mul(tail, hn::Mul(inverse_gap, hn::Div(of(1), transform)));
    auto const scale = hn::Mul(of(-step.exponent), tail_share);
    auto const variance_by = [&](hn::Vec<hn::F64> by_tail, hn::Vec<hn::F64> by_rate) {
      auto const slope = hn::NegMulAdd(out.variance, by_rate, hn::Mul(by_tail, inverse_rate));
      return hn::IfThenElse(is_above, slope, of(0));
    };
    auto const correction_by = [&](hn::Vec<hn::F64> by_tail, hn::Vec<hn::F64> by_rate) {
      return hn::Mul(scale, hn::NegMulAdd(rate_share, by_rate, by_tail));
    };
    out.slopes.by_mean = variance_by(tail_by_mean, rate_by_mean);
    out.slopes.by_spread = variance_by(tail_by_spread, tail_by_spread);
    out.slopes.correction_by_mean = correction_by(tail_by_mean, rate_by_mean);
    out.slopes.correction_by_spread = correction_by(tail_by_spread, tail_by_spread);
    out.slopes.correction_by_exponent = hn::Sub(of(0), hn::Mul(tail_share, rate_share));
  }
  return out;
}

template <class Mask>
MAKESPAN_BODY VarianceSlopes Chosen(Mask is_first, VarianceSlopes const& first,
                                    VarianceSlopes const& second) {
  auto const choose = [&](hn::Vec<hn::F64> a, hn::Vec<hn::F64> b) {
    return hn::IfThenElse(is_first, a, b);
  };
  return {choose(first.by_mean, second.by_mean), choose(first.by_spread, second.by_spread),
          choose(first.correction_by_mean, second.correction_by_mean),
          choose(first.correction_by_spread, second.correction_by_spread),
          choose(first.correction_by_exponent, second.correction_by_exponent)};
}

// The next variances of several vectors of paths, of any law. Stage by stage, so that one vector's
// latencies are another's work; what few lanes need is looked for in all vectors at once.
template <bool greeks, int count>
MAKESPAN_BODY void DrawVariances(HestonStep const& step, VarianceLaw const (&law)[count],
                                 hn::Vec<hn::F64> const (&z)[count], NextVariance (&next)[count]) {
  hn::F64 const d;
  auto const size = [&](hn::Vec<hn::F64> x) { return hn::Max(x, hn::Sub(hn::Zero(d), x)); };
  auto const above = [&](VarianceLaw const& one) {  // the switch, where positive
    return hn::NegMulAdd(hn::Set(d, psi_switch), one.mean_square, one.spread);
  };
  QuadraticDraw draw[count];
  auto widest = hn::Zero(d);
  auto highest = above(law[0]);
  MAKESPAN_UNROLL
  for (int k = 0; k < count; ++k) {
    draw[k] = QuadraticVariance<greeks>(step, law[k], z[k]);
    next[k] = draw[k].next;
    widest = hn::Max(widest, size(draw[k].ratio));
    highest = hn::Max(highest, above(law[k]));
  }
  auto const far = hn::Set(d, ratio_far);
  if (hn::AnyTrue(d, hn::Gt(widest, far))) {
    MAKESPAN_UNROLL
    for (int k = 0; k < count; ++k) {
      auto const correction =
          hn::MulAdd(hn::Set(d, 0.5), hn::Log(d, draw[k].share), draw[k].linear);
      auto const is_far = hn::Gt(size(draw[k].ratio), far);
      next[k].correction = hn::IfThenElse(is_far, correction, next[k].correction);
    }
  }
  if (!hn::AnyTrue(d, hn::Gt(highest, hn::Zero(d)))) return;
  MAKESPAN_UNROLL
  for (int k = 0; k < count; ++k) {
    auto const is_low = hn::Gt(above(law[k]), hn::Zero(d));
    if (!hn::AnyTrue(d, is_low)) continue;
    NextVariance const other = ExponentialVariance<greeks>(step, law[k], z[k]);
    next[k].variance = hn::IfThenElse(is_low, other.variance, next[k].variance);
    next[k].correction = hn::IfThenElse(is_low, other.correction, next[k].correction);
    if constexpr (greeks) next[k].slopes = Chosen(is_low, other.slopes, next[k].slopes);
  }
}

}  // namespace makespan::asian::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_ASIAN_HESTON_VARIANCE_INL_HPP

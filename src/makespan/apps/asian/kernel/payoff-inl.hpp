// SPDX-License-Identifier: Apache-2.0
// The payoff of one path and its derivatives, as random variables whose means are the price and the
// Greeks.
//
// Delta, vega and the drift's derivative are pathwise. Gamma is (level/spot)^2 times the density of
// the average at the exercise level, and the density is written as an expectation by integrating by
// parts along one direction of the Brownian path, the direction a of contract_law.hpp along which
// the logarithm of the average varies most:
//   density at k = E[ 1{A > k} (Z / D + D2 / D^2) ],  D = sum w_i a_i S_i,  D2 = sum w_i a_i^2 S_i,
//   Z = standard normal along a.
// Its variance does not grow as fixings become dense, unlike that of the likelihood ratio of the
// first step. Theta is the pricing equation's: r V - b S delta - sigma^2 S^2 gamma / 2, with delta
// and gamma as they are once a fixing at time 0 has become a past one. Sources: P. Glasserman,
// Monte Carlo Methods in Financial Engineering (2004), ch. 7; E. Fournie et al., Finance and
// Stochastics 3 (1999) 391-412. Derivation: docs/explanation/greeks.md.

#if defined(MAKESPAN_ASIAN_PAYOFF_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_ASIAN_PAYOFF_INL_HPP
#undef MAKESPAN_ASIAN_PAYOFF_INL_HPP
#else
#define MAKESPAN_ASIAN_PAYOFF_INL_HPP
#endif

#include "makespan/apps/asian/kernel/moment_job.hpp"
#include "makespan/simd/math-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::asian::MAKESPAN_TARGET {
namespace hn = makespan::simd::MAKESPAN_TARGET;

using Doubles = hn::Vec<hn::F64>;

// One path's functionals, in double.
struct PathValues {
  Doubles average;     // A: weighted sum of prices, a fixing at time 0 included
  Doubles terminal;    // S_T
  Doubles logs;        // ln G - its level
  Doubles logs_short;  // the same of what is taken off (ShortTerms)
  Doubles exercise;    // the logarithm that exercise depends on: logs, without such a part
  Doubles brownian;    // B(T)
  // Derivatives to a shift of all volatilities: of ln S_T, of ln G, of A.
  Doubles end_slope;
  Doubles log_slope;
  Doubles average_slope;
  Doubles sum_time;
  Doubles sum_direction;
  Doubles sum_direction2;
  Doubles average_delta;  // derivative of A to ln spot: A itself, but for a local volatility
  // Derivatives to the time of today, if theta comes from the paths: of A, of ln G, of ln S_T.
  Doubles average_theta;
  Doubles log_theta;
  Doubles end_theta;
};

struct PathOutputs {
  Doubles value[output_count];
};

MAKESPAN_BODY Doubles Of(double value) {
  return hn::Set(hn::F64(), value);
}

// side · x where the option is exercised, else 0.
MAKESPAN_BODY Doubles Exercised(CommonTerms const& common, Doubles margin, Doubles x) {
  return hn::IfThenElse(hn::Gt(margin, Of(0)), hn::Mul(Of(common.side), x), Of(0));
}

// What every functional has in common: rho and theta are sums of the others.
MAKESPAN_BODY void FillDerived(CommonTerms const& common, Doubles drift, Doubles delta_pde,
                               Doubles gamma_pde, PathOutputs& out) {
  out.value[dividend_rho] = hn::Sub(Of(0), drift);
  out.value[rho] =
      hn::MulAdd(Of(common.rho_drift), drift, hn::Mul(Of(-common.payment), out.value[price]));
  Doubles sum = hn::Mul(Of(common.rate), out.value[price]);
  sum = hn::MulAdd(Of(-common.drift), delta_pde, sum);
  out.value[theta] =
      hn::MulAdd(Of(-0.5 * common.volatility_now * common.volatility_now), gamma_pde, sum);
}

// Theta of a payoff that is exercised where side · `above` is positive, `gain`: what it gains by
// time there, discounting aside.
MAKESPAN_BODY void FillOwnTheta(CommonTerms const& common, Doubles above, Doubles gain,
                                PathOutputs& out) {
  Doubles const exercised = Exercised(common, hn::Mul(Of(common.side), above), gain);
  out.value[theta] = hn::Sub(hn::Mul(Of(common.rate), out.value[price]), exercised);
}

template <bool greeks>
MAKESPAN_BODY PathOutputs ArithmeticPrice(CommonTerms const& common, ArithmeticTerms const& terms,
                                          LogTerms const& log, PathValues const& path) {
  Doubles const margin = hn::Mul(Of(common.side), hn::Sub(path.average, Of(terms.level)));
  PathOutputs out;
  out.value[price] = hn::Max(margin, Of(0));
  if constexpr (greeks) {
    Doubles const z = hn::Mul(path.exercise, Of(1 / log.deviation));
    Doubles const d = path.sum_direction;
    Doubles const density = hn::Div(hn::Add(z, hn::Div(path.sum_direction2, d)), d);
    Doubles const boundary = Exercised(common, margin, density);
    Doubles const drift = Exercised(common, margin, path.sum_time);
    out.value[delta] = Exercised(common, margin, path.average);
    out.value[gamma] = hn::Mul(Of(terms.gamma_scale), boundary);
    out.value[vega] = Exercised(common, margin, path.average_slope);
    FillDerived(common, drift, Exercised(common, margin, hn::Sub(path.average, Of(terms.constant))),
                hn::Mul(Of(terms.gamma_scale_pde), boundary), out);
  }
  return out;
}

template <bool greeks>
MAKESPAN_BODY PathOutputs LogPrice(CommonTerms const& common, LogTerms const& terms, Doubles g,
                                   PathValues const& path) {
  Doubles const margin = hn::Mul(Of(common.side), hn::Sub(g, Of(terms.strike)));
  PathOutputs out;
  out.value[price] = hn::Max(margin, Of(0));
  if constexpr (greeks) {
    double const variance = terms.deviation * terms.deviation;
    Doubles const boundary =
        Exercised(common, margin, hn::Div(hn::MulAdd(path.logs, Of(1 / variance), Of(1)), g));
    Doubles const linear = Exercised(common, margin, g);
    out.value[delta] = hn::Mul(Of(terms.share), linear);
    out.value[gamma] =
        hn::MulAdd(Of(terms.gamma_linear), linear, hn::Mul(Of(terms.gamma_scale), boundary));
    out.value[vega] = hn::Mul(linear, path.log_slope);
    Doubles const delta_pde = hn::Sub(hn::Mul(Of(terms.share_pde), linear),
                                      Exercised(common, margin, Of(terms.shift_pde)));
    Doubles const gamma_pde = hn::MulAdd(Of(terms.gamma_linear_pde), linear,
                                         hn::Mul(Of(terms.gamma_scale_pde), boundary));
    FillDerived(common, hn::Mul(Of(terms.time), linear), delta_pde, gamma_pde, out);
  }
  return out;
}

// A control of two lognormals, g their difference: price and delta alone.
template <bool greeks>
MAKESPAN_BODY PathOutputs DifferencePrice(CommonTerms const& common, LogTerms const& terms,
                                          Doubles g) {
  Doubles const margin = hn::Mul(Of(common.side), hn::Sub(g, Of(terms.strike)));
  PathOutputs out;
  out.value[price] = hn::Max(margin, Of(0));
  if constexpr (greeks) {
    for (int k = delta; k < output_count; ++k) out.value[k] = Of(0);
    out.value[delta] = Exercised(common, margin, g);
  }
  return out;
}

// Z along the direction of an average-strike payoff: ln S_T - ln G, standardised.
MAKESPAN_BODY Doubles StrikeNormal(CommonTerms const& common, LogTerms const& log,
                                   PathValues const& path) {
  return hn::Mul(hn::MulAdd(Of(common.volatility), path.brownian, hn::Sub(Of(0), path.logs)),
                 Of(1 / log.deviation));
}

template <bool greeks>
MAKESPAN_BODY PathOutputs ArithmeticStrike(CommonTerms const& common, ArithmeticTerms const& terms,
                                           LogTerms const& log, PathValues const& path) {
  Doubles const k = Of(common.multiplier);
  Doubles const total = hn::Add(path.average, Of(terms.level));
  Doubles const margin = hn::Mul(Of(common.side), hn::NegMulAdd(k, total, path.terminal));
  PathOutputs out;
  out.value[price] = hn::Max(margin, Of(0));
  if constexpr (greeks) {
    Doubles const a_end = Of(terms.direction_end);
    Doubles const mean = hn::Div(path.sum_direction, total);
    Doubles const variance = hn::NegMulAdd(mean, mean, hn::Div(path.sum_direction2, total));
    Doubles const q = hn::Sub(a_end, mean);
    Doubles const z = StrikeNormal(common, log, path);
    Doubles const density =
        hn::Div(hn::Sub(hn::Add(z, a_end), hn::Div(variance, q)), hn::Mul(q, path.terminal));
    Doubles const boundary = Exercised(common, margin, density);
    Doubles const end_slope = hn::Mul(path.terminal, path.end_slope);
    out.value[delta] = Exercised(common, margin, hn::NegMulAdd(k, path.average, path.terminal));
    out.value[gamma] = hn::Mul(Of(terms.gamma_scale), boundary);
    out.value[vega] = Exercised(common, margin, hn::NegMulAdd(k, path.average_slope, end_slope));
    Doubles const drift = Exercised(
        common, margin, hn::NegMulAdd(k, path.sum_time, hn::Mul(Of(common.expiry), path.terminal)));
    Doubles const simulated = hn::Sub(path.average, Of(terms.constant));
    FillDerived(common, drift,
                Exercised(common, margin, hn::NegMulAdd(k, simulated, path.terminal)),
                hn::Mul(Of(terms.gamma_scale_pde), boundary), out);
  }
  return out;
}

template <bool greeks>
MAKESPAN_BODY PathOutputs LogStrike(CommonTerms const& common, ArithmeticTerms const& arithmetic,
                                    LogTerms const& terms, Doubles g, PathValues const& path) {
  Doubles const k = Of(common.multiplier);
  Doubles const margin = hn::Mul(Of(common.side), hn::NegMulAdd(k, g, path.terminal));
  PathOutputs out;
  out.value[price] = hn::Max(margin, Of(0));
  if constexpr (greeks) {
    Doubles const kg = hn::Mul(k, g);
    Doubles const power = terms.boundary_power > 0 ? path.terminal : hn::Div(Of(1), path.terminal);
    Doubles const z = hn::Add(StrikeNormal(common, terms, path),
                              Of(-terms.boundary_power * arithmetic.direction_end));
    Doubles const boundary =
        Exercised(common, margin, hn::Mul(power, hn::Mul(z, Of(1 / terms.deviation))));
    Doubles const linear = Exercised(common, margin, kg);
    Doubles const end_slope = hn::Mul(path.terminal, path.end_slope);
    out.value[delta] = Exercised(common, margin, hn::NegMulAdd(Of(terms.share), kg, path.terminal));
    out.value[gamma] =
        hn::NegMulAdd(Of(terms.gamma_linear), linear, hn::Mul(Of(terms.gamma_scale), boundary));
    out.value[vega] = Exercised(common, margin, hn::NegMulAdd(kg, path.log_slope, end_slope));
    Doubles const drift =
        Exercised(common, margin,
                  hn::NegMulAdd(Of(terms.time), kg, hn::Mul(Of(common.expiry), path.terminal)));
    Doubles const delta_pde =
        Exercised(common, margin, hn::NegMulAdd(Of(terms.share_pde), kg, path.terminal));
    Doubles const gamma_pde = hn::NegMulAdd(Of(terms.gamma_linear_pde), linear,
                                            hn::Mul(Of(terms.gamma_scale_pde), boundary));
    FillDerived(common, drift, delta_pde, gamma_pde, out);
  }
  return out;
}

}  // namespace makespan::asian::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_ASIAN_PAYOFF_INL_HPP

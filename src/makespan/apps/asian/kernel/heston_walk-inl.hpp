// SPDX-License-Identifier: Apache-2.0
// Paths under a random variance (heston_plan.hpp), in double precision, step by step, and the
// functionals of a price that they leave: S(T), the average, and the logarithm of the control,
// which is the geometric average of the same path.

#if defined(MAKESPAN_ASIAN_HESTON_WALK_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_ASIAN_HESTON_WALK_INL_HPP
#undef MAKESPAN_ASIAN_HESTON_WALK_INL_HPP
#else
#define MAKESPAN_ASIAN_HESTON_WALK_INL_HPP
#endif

#include "makespan/apps/asian/kernel/detail/heston_variance-inl.hpp"
#include "makespan/apps/asian/kernel/path_group-inl.hpp"
#include "makespan/apps/asian/kernel/path_job.hpp"
#include "makespan/simd/math-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::asian::MAKESPAN_TARGET {
namespace hn = makespan::simd::MAKESPAN_TARGET;

// Derivatives along a path, of the variance and of the logarithm of the price, and what comes of
// them: the sum of w_i S_i times that of ln S_i, and of the control's logarithm.
struct HestonTangent {
  hn::Vec<hn::F64> variance;
  hn::Vec<hn::F64> log_price;
  hn::Vec<hn::F64> sum;
  hn::Vec<hn::F64> logs;
};

// A vector of paths under way.
struct HestonWalk {
  hn::Vec<hn::F64> log_price;  // over the spot
  hn::Vec<hn::F64> growth;     // what of it is certain
  hn::Vec<hn::F64> variance;
  hn::Vec<hn::F64> sum;
  hn::Vec<hn::F64> logs;
  // For Greeks. The direction: what ln S has of the normals that the control's logarithm has, given
  // the variance; gamma's estimator is that of payoff-inl.hpp, given it.
  hn::Vec<hn::F64> time;
  hn::Vec<hn::F64> along;
  hn::Vec<hn::F64> direction;
  hn::Vec<hn::F64> direction2;
  hn::Vec<hn::F64> normal;
  HestonTangent vega;   // to a shift of all volatilities: of the square roots of V now and of theta
  HestonTangent theta;  // to the length of the first step
};

// What a step has drawn: the variance before it and after, and the deviation of the price's own
// normal.
struct DrawnStep {
  hn::Vec<hn::F64> before;
  NextVariance const& next;
  hn::Vec<hn::F64> noise;
  hn::Vec<hn::F64> z_price;
};

// Derivatives of a step to something else than its variance before.
struct StepChange {
  hn::Vec<hn::F64> mean;
  hn::Vec<hn::F64> spread;
  hn::Vec<hn::F64> log_price;
};

// A noise below this has a derivative that is rounding.
inline constexpr double least_noise = 1e-9;

MAKESPAN_BODY void FollowStep(HestonStep const& step, DrawnStep const& drawn,
                              StepChange const& change, HestonTangent& tangent) {
  hn::F64 const d;
  auto const of = [&](double x) { return hn::Set(d, x); };
  VarianceSlopes const& slopes = drawn.next.slopes;
  auto const before = tangent.variance;
  auto const mean = hn::MulAdd(of(step.mean_factor), before, change.mean);
  auto const spread = hn::MulAdd(of(step.variance_slope), before, change.spread);
  auto const after = hn::MulAdd(slopes.by_mean, mean, hn::Mul(slopes.by_spread, spread));
  auto by_noise = hn::Div(drawn.z_price, hn::Max(drawn.noise, of(least_noise)));
  by_noise = hn::Mul(of(0.5 * step.noise), hn::Mul(by_noise, hn::Add(before, after)));
  auto log_price = hn::Add(change.log_price, by_noise);
  log_price = hn::MulAdd(slopes.correction_by_mean, mean, log_price);
  log_price = hn::MulAdd(slopes.correction_by_spread, spread, log_price);
  log_price = hn::MulAdd(of(step.next), after, log_price);
  log_price = hn::MulAdd(of(-0.5 * step.noise), before, log_price);
  tangent.variance = after;
  tangent.log_price = hn::Add(tangent.log_price, log_price);
}

// What the first step's length does in it.
MAKESPAN_BODY StepChange FirstChange(HestonDrift const& drift, DrawnStep const& drawn) {
  hn::F64 const d;
  auto const of = [&](double x) { return hn::Set(d, x); };
  auto const sum = hn::Add(drawn.before, drawn.next.variance);
  auto log_price = hn::Div(drawn.z_price, hn::Max(drawn.noise, of(least_noise)));
  log_price = hn::Mul(of(0.5 * drift.noise), hn::Mul(log_price, sum));
  log_price = hn::MulAdd(of(drift.exponent), drawn.next.slopes.correction_by_exponent, log_price);
  log_price = hn::MulAdd(of(drift.next), drawn.next.variance, log_price);
  log_price = hn::MulAdd(of(-0.5 * drift.noise), drawn.before, log_price);
  return {of(drift.mean), of(drift.spread), hn::Add(log_price, of(drift.growth))};
}

MAKESPAN_BODY void AddTangent(HestonStep const& step, hn::Vec<hn::F64> weighted,
                              HestonTangent& tangent) {
  tangent.sum = hn::MulAdd(weighted, tangent.log_price, tangent.sum);
  tangent.logs = hn::MulAdd(hn::Set(hn::F64(), step.log_weight), tangent.log_price, tangent.logs);
}

// What a step that has been drawn brings a vector of paths.
template <bool greeks>
MAKESPAN_BODY void MoveHeston(HestonPlan const& plan, int index, NextVariance const& next,
                              hn::Vec<hn::F64> z_price, HestonWalk& walk) {
  hn::F64 const d;
  auto const of = [&](double x) { return hn::Set(d, x); };
  HestonStep const& step = plan.steps[static_cast<std::size_t>(index)];
  auto const now = walk.variance;
  auto const noise2 = hn::Mul(of(step.noise), hn::Add(now, next.variance));
  auto const noise = hn::Sqrt(noise2);
  auto change = hn::MulAdd(noise, z_price, next.correction);
  change = hn::MulAdd(of(step.next), next.variance, change);
  // The last part of K0; Andersen's K1 V is in it with the other sign.
  change = hn::MulAdd(of(-0.5 * step.noise), now, change);
  walk.log_price = hn::Add(walk.log_price, change);
  walk.growth = hn::Add(walk.growth, of(step.growth));
  walk.variance = next.variance;
  if constexpr (greeks) {
    walk.along = hn::MulAdd(of(step.tail), noise2, walk.along);
    walk.normal = hn::MulAdd(hn::Mul(of(step.tail), noise), z_price, walk.normal);
    DrawnStep const drawn{now, next, noise, z_price};
    auto const zero = of(0);
    FollowStep(step, drawn, {of(step.mean_vega), of(step.spread_vega), zero}, walk.vega);
    StepChange const by_time =
        index == 0 ? FirstChange(plan.drift, drawn) : StepChange{zero, zero, zero};
    FollowStep(step, drawn, by_time, walk.theta);
  }
}

// What the price at a step's end adds.
template <bool greeks>
MAKESPAN_BODY void AddHestonPrice(HestonStep const& step, HestonWalk& walk) {
  hn::F64 const d;
  auto const of = [&](double x) { return hn::Set(d, x); };
  auto const price = hn::Exp(d, hn::Add(walk.log_price, walk.growth));
  auto const weighted = hn::Mul(of(step.weight), price);
  walk.sum = hn::MulAdd(of(step.weight), price, walk.sum);
  if constexpr (greeks) {
    auto const towards = hn::Mul(walk.along, weighted);
    walk.time = hn::MulAdd(of(step.time), weighted, walk.time);
    walk.direction = hn::Add(walk.direction, towards);
    walk.direction2 = hn::MulAdd(walk.along, towards, walk.direction2);
    AddTangent(step, weighted, walk.vega);
    AddTangent(step, weighted, walk.theta);
  }
  // Without the growth, which is in the level of the control (contract_law.cpp).
  walk.logs = hn::MulAdd(of(step.log_weight), walk.log_price, walk.logs);
}

// The `index`-th step of several vectors of paths.
template <bool greeks, int count>
MAKESPAN_BODY void TakeHestonSteps(HestonPlan const& plan, int index,
                                   hn::Vec<hn::F64> const (&z_price)[count],
                                   hn::Vec<hn::F64> const (&z_variance)[count],
                                   HestonWalk (&walk)[count]) {
  hn::F64 const d;
  HestonStep const& step = plan.steps[static_cast<std::size_t>(index)];
  auto const level = hn::Set(d, plan.variance_mean);
  VarianceLaw law[count];
  MAKESPAN_UNROLL
  for (int k = 0; k < count; ++k) {
    auto const now = walk[k].variance;
    law[k].mean = hn::MulAdd(hn::Sub(now, level), hn::Set(d, step.mean_factor), level);
    law[k].spread =
        hn::MulAdd(now, hn::Set(d, step.variance_slope), hn::Set(d, step.variance_constant));
    law[k].mean_square = hn::Mul(law[k].mean, law[k].mean);
  }
  NextVariance next[count];
  DrawVariances<greeks, count>(step, law, z_variance, next);
  MAKESPAN_UNROLL
  for (int k = 0; k < count; ++k) MoveHeston<greeks>(plan, index, next[k], z_price[k], walk[k]);
  if (!step.has_price) return;
  MAKESPAN_UNROLL
  for (int k = 0; k < count; ++k) AddHestonPrice<greeks>(step, walk[k]);
}

MAKESPAN_BODY HestonWalk StartHeston(HestonPlan const& plan) {
  hn::F64 const d;
  auto const zero = hn::Zero(d);
  auto const variance = hn::Set(d, plan.variance_now);
  HestonTangent const still{zero, zero, zero, zero};
  HestonTangent const moved{hn::Set(d, plan.variance_vega), zero, zero, zero};
  return {zero, zero, variance, zero, zero, zero, zero, zero, zero, zero, moved, still};
}

// Where one of a pair leaves its functionals.
struct HestonRows {
  Functional growth, sum, logs;
  Functional brownian;  // and the three that follow
  Functional normal;
  Functional vega, vega_end, vega_logs;
  Functional theta, theta_end, theta_logs;
};

template <bool greeks>
MAKESPAN_BODY void StoreHeston(HestonWalk const& from, HestonRows rows, double* values, int at) {
  hn::F64 const d;
  auto const store = [&](hn::Vec<hn::F64> x, Functional row) {
    hn::Store(x, d, At(values, row, at));
  };
  store(hn::Exp(d, hn::Add(from.log_price, from.growth)), rows.growth);
  store(from.sum, rows.sum);
  store(from.logs, rows.logs);
  if constexpr (greeks) {
    auto const after = [&](int k) { return static_cast<Functional>(rows.brownian + k); };
    store(from.vega.sum, rows.brownian);
    store(from.time, after(1));
    store(from.direction, after(2));
    store(from.direction2, after(3));
    store(from.normal, rows.normal);
    store(hn::Zero(d), rows.vega);  // convexity is in the sum above
    store(from.vega.log_price, rows.vega_end);
    store(from.vega.logs, rows.vega_logs);
    store(from.theta.sum, rows.theta);
    store(from.theta.log_price, rows.theta_end);
    store(from.theta.logs, rows.theta_logs);
  }
}

template <bool greeks>
MAKESPAN_BODY void StorePair(bool antithetic, HestonWalk const& up, HestonWalk const& down,
                             double* values, int at) {
  constexpr HestonRows rows_up{growth_up, sum_up,   log_sum,   brownian_up, direction_normal_up,
                               vega_up,   vega_end, vega_logs, theta_up,    theta_end_up,
                               theta_logs};
  constexpr HestonRows rows_down{
      growth_down,   sum_down,       log_sum_down, brownian_down,  direction_normal_down, vega_down,
      vega_end_down, vega_logs_down, theta_down,   theta_end_down, theta_logs_down};
  StoreHeston<greeks>(up, rows_up, values, at);
  if (antithetic) StoreHeston<greeks>(down, rows_down, values, at);
  if constexpr (greeks) hn::Store(hn::Zero(hn::F64()), hn::F64(), At(values, brownian, at));
}

}  // namespace makespan::asian::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_ASIAN_HESTON_WALK_INL_HPP

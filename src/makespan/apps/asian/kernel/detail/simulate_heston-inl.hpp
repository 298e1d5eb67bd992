// SPDX-License-Identifier: Apache-2.0
// Simulates the paths of a slab under a random variance (heston_plan.hpp), in double precision, and
// leaves the functionals of a price: S(T), the average, and the logarithm of the control, which is
// the geometric average of the same path.

#if defined(MAKESPAN_ASIAN_SIMULATE_HESTON_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_ASIAN_SIMULATE_HESTON_INL_HPP
#undef MAKESPAN_ASIAN_SIMULATE_HESTON_INL_HPP
#else
#define MAKESPAN_ASIAN_SIMULATE_HESTON_INL_HPP
#endif

#include "makespan/apps/asian/kernel/detail/philox_normals-inl.hpp"
#include "makespan/simd/math-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::asian::MAKESPAN_TARGET {
namespace hn = makespan::simd::MAKESPAN_TARGET;

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
};

// The variance after a step, and K0 less its part that is linear in the variance before.
struct NextVariance {
  hn::Vec<hn::F64> variance;
  hn::Vec<hn::F64> correction;
};

// Where psi, the variance over the squared mean, is below this the next variance is a (b + Z)^2;
// above it has a mass at 0 and an exponential tail.
inline constexpr double psi_switch = 1.5;
// Arguments of logarithms stay above this, whatever the parameters.
inline constexpr double least_argument = 1e-200;
inline constexpr double least_share = 1e-100;

// `mean` and `spread`: of the next variance, its mean and its variance. With M = 2 mean^2, Q =
// sqrt(M (M - spread)) and P = M + Q Andersen's a is mean spread / P, a b^2 is mean - a, and what
// K0 takes the logarithm of is L / P; one division serves all of it.
MAKESPAN_BODY NextVariance QuadraticVariance(HestonStep const& step, hn::Vec<hn::F64> mean,
                                             hn::Vec<hn::F64> mean_square, hn::Vec<hn::F64> spread,
                                             hn::Vec<hn::F64> z) {
  hn::F64 const d;
  auto const of = [&](double x) { return hn::Set(d, x); };
  auto const m2 = hn::Max(hn::Add(mean_square, mean_square), hn::Mul(of(2 / psi_switch), spread));
  auto const p = hn::Add(m2, hn::Sqrt(hn::Mul(m2, hn::Sub(m2, spread))));
  auto const product = hn::Mul(mean, spread);
  auto const l =
      hn::Max(hn::NegMulAdd(of(2 * step.exponent), product, p), hn::Mul(p, of(least_share)));
  auto const pl = hn::Mul(p, l);
  auto const both = hn::Add(l, p);
  auto const inverse = hn::Div(of(1), hn::Mul(pl, both));
  auto const inverse_pl = hn::Mul(inverse, both);
  auto const a = hn::Mul(hn::Mul(product, l), inverse_pl);
  auto const rest = hn::Sub(mean, a);
  auto const linear =
      hn::Mul(hn::Mul(of(-step.exponent), rest), hn::Mul(hn::Mul(p, p), inverse_pl));
  auto const ratio = hn::Mul(hn::Mul(hn::Sub(l, p), pl), inverse);
  auto log = hn::LogOfRatio(d, ratio);
  auto const is_far = hn::Gt(hn::Max(ratio, hn::Sub(of(0), ratio)), of(0.2));
  if (hn::AnyTrue(d, is_far)) {
    log = hn::IfThenElse(is_far, hn::Log(d, hn::Mul(hn::Mul(l, l), inverse_pl)), log);
  }
  auto const cross = hn::Mul(hn::Add(z, z), hn::Sqrt(hn::Max(hn::Mul(a, rest), of(0))));
  auto const variance = hn::MulAdd(hn::Mul(a, z), z, hn::Add(rest, cross));
  return {hn::Max(variance, of(0)), hn::MulAdd(of(0.5), log, linear)};
}

MAKESPAN_BODY NextVariance ExponentialVariance(HestonStep const& step, hn::Vec<hn::F64> mean,
                                               hn::Vec<hn::F64> mean_square,
                                               hn::Vec<hn::F64> spread, hn::Vec<hn::F64> z) {
  hn::F64 const d;
  auto const of = [&](double x) { return hn::Set(d, x); };
  auto const high = hn::Max(hn::Div(spread, mean_square), of(psi_switch));
  auto const tail = hn::Div(of(2), hn::Add(high, of(1)));  // 1 - p, p the mass at 0
  auto const rate = hn::Div(tail, mean);
  auto const above = hn::Max(hn::NormalCdf(d, hn::Sub(of(0), z)), of(least_argument));  // 1 - U
  auto const tail_log = hn::Div(hn::Log(d, hn::Div(tail, above)), rate);
  auto const variance = hn::Max(tail_log, of(0));
  auto const gap = hn::Max(hn::Sub(rate, of(step.exponent)), of(least_argument));
  auto const mass = hn::Sub(of(1), tail);
  auto const transform = hn::MulAdd(rate, hn::Div(tail, gap), mass);
  return {variance, hn::Sub(of(0), hn::Log(d, hn::Max(transform, of(least_argument))))};
}

template <bool greeks>
MAKESPAN_BODY void TakeHestonStep(HestonStep const& step, double variance_mean,
                                  hn::Vec<hn::F64> z_price, hn::Vec<hn::F64> z_variance,
                                  HestonWalk& walk) {
  hn::F64 const d;
  auto const of = [&](double x) { return hn::Set(d, x); };
  auto const now = walk.variance;
  auto const mean =
      hn::MulAdd(hn::Sub(now, of(variance_mean)), of(step.mean_factor), of(variance_mean));
  auto const spread = hn::MulAdd(now, of(step.variance_slope), of(step.variance_constant));
  auto const mean_square = hn::Mul(mean, mean);
  NextVariance next = QuadraticVariance(step, mean, mean_square, spread, z_variance);
  auto const is_low = hn::Gt(spread, hn::Mul(of(psi_switch), mean_square));
  if (hn::AnyTrue(d, is_low)) {
    NextVariance const other = ExponentialVariance(step, mean, mean_square, spread, z_variance);
    next.variance = hn::IfThenElse(is_low, other.variance, next.variance);
    next.correction = hn::IfThenElse(is_low, other.correction, next.correction);
  }
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
  }
  if (!step.has_price) return;
  auto const price = hn::Exp(d, hn::Add(walk.log_price, walk.growth));
  auto const weighted = hn::Mul(of(step.weight), price);
  walk.sum = hn::MulAdd(of(step.weight), price, walk.sum);
  if constexpr (greeks) {
    auto const towards = hn::Mul(walk.along, weighted);
    walk.time = hn::MulAdd(of(step.time), weighted, walk.time);
    walk.direction = hn::Add(walk.direction, towards);
    walk.direction2 = hn::MulAdd(walk.along, towards, walk.direction2);
  }
  walk.logs = hn::MulAdd(of(step.log_weight), walk.log_price, walk.logs);
}

MAKESPAN_BODY HestonWalk StartHeston(HestonPlan const& plan) {
  hn::F64 const d;
  auto const zero = hn::Zero(d);
  auto const variance = hn::Set(d, plan.variance_now);
  return {zero, zero, variance, zero, zero, zero, zero, zero, zero, zero};
}

// Steps [begin, end) of a group of paths and its twins, with two rows of normals each. Step by
// step, so that one vector's latencies are another's work.
template <bool antithetic, bool greeks>
void WalkHeston(HestonPlan const& plan, StepRange steps, double const* tile,
                HestonWalk (&up)[group_vectors], HestonWalk (&down)[group_vectors]) {
  hn::F64 const d;
  auto const zero = hn::Zero(d);
  for (int i = steps.begin; i < steps.end; ++i) {
    HestonStep const& step = plan.steps[static_cast<std::size_t>(i)];
    MAKESPAN_UNROLL
    for (int v = 0; v < group_vectors; ++v) {
      auto const z_price = hn::Load(d, tile + v * hn::lanes_f64);
      auto const z_variance = hn::Load(d, tile + group_f64 + v * hn::lanes_f64);
      TakeHestonStep<greeks>(step, plan.variance_mean, z_price, z_variance, up[v]);
      if constexpr (antithetic) {
        TakeHestonStep<greeks>(step, plan.variance_mean, hn::Sub(zero, z_price),
                               hn::Sub(zero, z_variance), down[v]);
      }
    }
    tile += 2 * group_f64;
  }
}

using WalkHestonOf = void (*)(HestonPlan const&, StepRange, double const*,
                              HestonWalk (&)[group_vectors], HestonWalk (&)[group_vectors]);

inline WalkHestonOf SelectHestonWalk(PathJob const& job) {
  if (job.antithetic) return job.greeks ? WalkHeston<true, true> : WalkHeston<true, false>;
  return job.greeks ? WalkHeston<false, true> : WalkHeston<false, false>;
}

// What Greeks need, and nothing for those that there are not.
MAKESPAN_BODY void StoreHestonGreeks(HestonWalk const& from, double* values, int at,
                                     Functional first, Functional normal, Functional vega) {
  hn::F64 const d;
  auto const zero = hn::Zero(d);
  auto const row = [&](int k) { return At(values, static_cast<Functional>(first + k), at); };
  hn::Store(zero, d, row(0));
  hn::Store(from.time, d, row(1));
  hn::Store(from.direction, d, row(2));
  hn::Store(from.direction2, d, row(3));
  hn::Store(zero, d, At(values, vega, at));
  hn::Store(from.normal, d, At(values, normal, at));
}

inline void SimulateHeston(PathJob const& job, double* values) {
  hn::F64 const d;
  auto* const tile = static_cast<double*>(job.normals);
  constexpr int steps_of_tile = tile_steps / 2;
  int const steps = static_cast<int>(job.heston.steps.size());
  auto const walk = SelectHestonWalk(job);
  for (int path = 0; path < job.samples; path += group_f64) {
    hn::Vec<hn::U64> numbers[group_vectors];
    for (int v = 0; v < group_vectors; ++v) {
      std::uint64_t const first = job.sample_first + static_cast<std::uint64_t>(path);
      numbers[v] =
          hn::Add(hn::Set(hn::U64(), first + static_cast<std::uint64_t>(v * hn::lanes_f64)),
                  hn::Iota(hn::U64(), 0));
    }
    auto const paths = hn::StartPhilox(numbers, job.stream, job.round_keys);
    HestonWalk up[group_vectors];
    HestonWalk down[group_vectors];
    for (int v = 0; v < group_vectors; ++v) up[v] = down[v] = StartHeston(job.heston);
    for (int begin = 0; begin < steps; begin += steps_of_tile) {
      int const end = begin + steps_of_tile < steps ? begin + steps_of_tile : steps;
      auto const fill = job.philox_rounds == 7 ? FillNormalsF64<7> : FillNormalsF64<10>;
      fill(job, paths, {begin, end}, tile);  // a counter has the two normals of a step
      walk(job.heston, {begin, end}, tile, up, down);
    }
    for (int v = 0; v < group_vectors; ++v) {
      int const at = path + v * hn::lanes_f64;
      auto const store = [&](HestonWalk const& from, Functional growth, Functional sum,
                             Functional logs) {
        hn::Store(hn::Exp(d, hn::Add(from.log_price, from.growth)), d, At(values, growth, at));
        hn::Store(from.sum, d, At(values, sum, at));
        hn::Store(from.logs, d, At(values, logs, at));
      };
      store(up[v], growth_up, sum_up, log_sum);
      if (job.antithetic) store(down[v], growth_down, sum_down, log_sum_down);
      if (!job.greeks) continue;
      for (Functional const none : {brownian, vega_end, vega_logs}) {
        hn::Store(hn::Zero(d), d, At(values, none, at));
      }
      StoreHestonGreeks(up[v], values, at, brownian_up, direction_normal_up, vega_up);
      if (job.antithetic) {
        StoreHestonGreeks(down[v], values, at, brownian_down, direction_normal_down, vega_down);
      }
    }
  }
}

}  // namespace makespan::asian::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_ASIAN_SIMULATE_HESTON_INL_HPP

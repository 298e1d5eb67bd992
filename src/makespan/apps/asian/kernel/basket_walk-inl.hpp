// SPDX-License-Identifier: Apache-2.0
// Paths of several correlated prices (basket_plan.hpp), in double precision, step by step, and the
// functionals that they leave, of the weighted sum that the payoff looks at.

#if defined(MAKESPAN_ASIAN_BASKET_WALK_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_ASIAN_BASKET_WALK_INL_HPP
#undef MAKESPAN_ASIAN_BASKET_WALK_INL_HPP
#else
#define MAKESPAN_ASIAN_BASKET_WALK_INL_HPP
#endif

#include "makespan/apps/asian/kernel/detail/basket_step-inl.hpp"
#include "makespan/apps/asian/kernel/path_group-inl.hpp"
#include "makespan/apps/asian/kernel/path_job.hpp"
#include "makespan/simd/math-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::asian::MAKESPAN_TARGET {
namespace hn = makespan::simd::MAKESPAN_TARGET;

// One underlying over one step, for some vectors of paths.
template <bool antithetic, bool greeks, bool smooth, int vectors, int row_size>
MAKESPAN_BODY void TakeUnderlyingStep(BasketPlan const& plan, StepOf<row_size> const& at,
                                      SliceGrid const* grid, BasketWalk (&walk)[vectors]) {
  hn::F64 const d;
  hn::Vec<hn::F64> y[vectors];
  MAKESPAN_UNROLL
  for (int v = 0; v < vectors; ++v) {
    y[v] = hn::Load(d, RowOf(at, row_normal) + v * hn::lanes_f64);
    AddLogs<greeks>(plan, at.term, y[v], walk[v]);
  }
  if (grid == nullptr) {
    MAKESPAN_UNROLL
    for (int v = 0; v < vectors; ++v) {
      StepOf<row_size> own = at;
      own.state += v * hn::lanes_f64;
      TakeKnownStep<antithetic, greeks, smooth>(own, y[v], walk[v]);
    }
    return;
  }
  TakeLocalStep<antithetic, greeks>(*grid, at, y, walk);
  if constexpr (greeks) {
    if (!at.is_first) return;
    auto const slope = hn::Set(d, at.drift.log_weight * at.drift.slope);
    MAKESPAN_UNROLL
    for (int v = 0; v < vectors; ++v) {
      walk[v].theta_logs = hn::MulAdd(slope, y[v], walk[v].theta_logs);
    }
  }
}

// Some vectors of paths over one step, `state` their place in the state (basket_step-inl.hpp).
template <bool antithetic, bool greeks, bool smooth, int row_size, int vectors>
MAKESPAN_BODY void TakeBasketStep(BasketPlan const& plan, int index, double* state,
                                  BasketWalk (&walk)[vectors]) {
  BasketStep const& step = plan.steps[static_cast<std::size_t>(index)];
  BasketTerm const* const terms =
      plan.terms.data() + static_cast<std::ptrdiff_t>(index) * plan.underlyings;
  hn::Vec<hn::F64> up_before[vectors];
  hn::Vec<hn::F64> down_before[vectors];
  MAKESPAN_UNROLL
  for (int v = 0; v < vectors; ++v) {
    up_before[v] = walk[v].up.sum;
    down_before[v] = walk[v].down.sum;
  }
  for (int k = 0; k < plan.underlyings; ++k) {
    auto const which = static_cast<std::size_t>(k);
    bool const is_flat = terms[k].slice < 0;  // then there may be no slices at all
    double const* const slice = is_flat ? nullptr : plan.slices.data() + terms[k].slice;
    double* const own = BasketStateAt<row_size>(state, k, row_normal);
    StepOf<row_size> const at{step, terms[k], plan.drifts[which], slice, index == 0, own};
    SliceGrid const* const grid = is_flat ? nullptr : &plan.grids[which];
    TakeUnderlyingStep<antithetic, greeks, smooth>(plan, at, grid, walk);
  }
  MAKESPAN_UNROLL
  for (int v = 0; v < vectors; ++v) {
    AddTime<greeks>(step.time, up_before[v], walk[v].up);
    AddTime<greeks>(step.time, down_before[v], walk[v].down);
  }
}

MAKESPAN_BODY BasketWalk StartBasket() {
  auto const zero = hn::Zero(hn::F64());
  BasketSums const none{zero, zero, zero, zero, zero, zero, zero, zero};
  BasketWalk walk;
  walk.up = walk.down = none;
  walk.logs = walk.logs_short = walk.vega_logs = walk.theta_logs = zero;
  for (int n = 0; n < smooth_terms; ++n) walk.smooth_up[n] = walk.smooth_down[n] = zero;
  return walk;
}

// Leaves the sums of one vector of paths.
MAKESPAN_BODY void StoreBasket(PathJob const& job, BasketWalk const& walk, int path,
                               double* values) {
  hn::F64 const d;
  auto const store = [&](hn::Vec<hn::F64> x, Functional f) {
    hn::Store(x, d, At(values, f, path));
  };
  store(walk.up.sum, sum_up);
  store(walk.logs, log_sum);
  store(walk.logs_short, log_sum_short);
  if (job.antithetic) store(walk.down.sum, sum_down);
  if (job.basket.is_smooth) {
    for (int n = 0; n < smooth_terms; ++n) {
      store(walk.smooth_up[n], static_cast<Functional>(smooth_up + n));
      store(walk.smooth_down[n], static_cast<Functional>(smooth_down + n));
    }
  }
  if (!job.greeks) return;
  store(walk.vega_logs, vega_logs);
  store(walk.theta_logs, theta_logs);
  auto const store_greeks = [&](BasketSums const& sums, Functional first, Functional vega,
                                Functional theta, Functional delta) {
    auto const at = [&](int k) { return static_cast<Functional>(first + k); };
    store(sums.brownian, at(0));
    store(sums.time, at(1));
    store(sums.direction, at(2));
    store(sums.direction2, at(3));
    store(sums.vega, vega);
    store(sums.theta, theta);
    store(sums.delta, delta);
  };
  store_greeks(walk.up, brownian_up, vega_up, theta_up, delta_up);
  if (job.antithetic) store_greeks(walk.down, brownian_down, vega_down, theta_down, delta_down);
}

}  // namespace makespan::asian::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_ASIAN_BASKET_WALK_INL_HPP

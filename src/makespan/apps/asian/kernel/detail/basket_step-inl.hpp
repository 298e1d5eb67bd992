// SPDX-License-Identifier: Apache-2.0
// One step of one underlying of a basket (basket_plan.hpp), and what its price adds to the path's
// sums.

#if defined(MAKESPAN_ASIAN_BASKET_STEP_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_ASIAN_BASKET_STEP_INL_HPP
#undef MAKESPAN_ASIAN_BASKET_STEP_INL_HPP
#else
#define MAKESPAN_ASIAN_BASKET_STEP_INL_HPP
#endif

#include "makespan/apps/asian/kernel/path_group-inl.hpp"
#include "makespan/simd/math-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::asian::MAKESPAN_TARGET {
namespace hn = makespan::simd::MAKESPAN_TARGET;

// What a path has added up, of the payoff's sum (Functional says of what).
struct BasketSums {
  hn::Vec<hn::F64> sum;
  hn::Vec<hn::F64> brownian;
  hn::Vec<hn::F64> time;
  hn::Vec<hn::F64> direction;
  hn::Vec<hn::F64> direction2;
  hn::Vec<hn::F64> vega;
  hn::Vec<hn::F64> theta;
  hn::Vec<hn::F64> delta;
};

// A vector of paths under way, and its twin.
struct BasketWalk {
  BasketSums up;
  BasketSums down;
  hn::Vec<hn::F64> logs;
  hn::Vec<hn::F64> logs_short;
  hn::Vec<hn::F64> vega_logs;
  hn::Vec<hn::F64> theta_logs;
};

// Rows of BasketPlan::state; those of the twin, where it is not the path's negative, follow.
enum BasketRow : int { row_normal, row_log, row_vega, row_theta, row_delta, twin_rows };
static_assert(basket_state_rows == 2 * twin_rows - 1);

MAKESPAN_BODY double* BasketStateAt(BasketPlan const& plan, int underlying, BasketRow row) {
  return plan.state + (underlying * basket_state_rows + row) * group_f64;
}

// One underlying in one step, and the place of a vector of paths in its state.
struct StepOf {
  BasketStep const& step;
  BasketTerm const& term;
  BasketDrift const& drift;
  bool is_first;
  double* state;

  [[nodiscard]] double* row(BasketRow which) const { return state + which * group_f64; }
};

// Of the logarithm of a price: its random part, and derivatives to a shift of all volatilities, to
// the time of today, and to ln spot (of a local volatility).
struct LogPriceSlopes {
  hn::Vec<hn::F64> x;
  hn::Vec<hn::F64> vega;
  hn::Vec<hn::F64> theta;
  hn::Vec<hn::F64> delta;
};

// One price's part of the sums.
template <bool greeks, bool local>
MAKESPAN_BODY void AddPrice(BasketTerm const& term, hn::Vec<hn::F64> log_price,
                            LogPriceSlopes const& at, BasketSums& sums) {
  hn::F64 const d;
  auto const weighted = hn::Mul(hn::Set(d, term.weight), hn::Exp(d, log_price));
  sums.sum = hn::Add(sums.sum, weighted);
  if constexpr (greeks) {
    sums.brownian = hn::MulAdd(weighted, at.vega, sums.brownian);
    sums.theta = hn::MulAdd(at.theta, weighted, sums.theta);
    if constexpr (local) {
      sums.delta = hn::MulAdd(at.delta, weighted, sums.delta);
    } else {
      sums.delta = hn::Add(sums.delta, weighted);
      auto const direction = hn::Set(d, term.direction);
      auto const towards = hn::Mul(direction, weighted);
      sums.direction = hn::Add(sums.direction, towards);
      sums.direction2 = hn::MulAdd(direction, towards, sums.direction2);
      sums.vega = hn::MulAdd(hn::Set(d, term.volatility), weighted, sums.vega);
    }
  }
}

// The time of a step, for what the step has added to the sum.
template <bool greeks>
MAKESPAN_BODY void AddTime(double time, hn::Vec<hn::F64> before, BasketSums& sums) {
  hn::F64 const d;
  if constexpr (greeks) {
    sums.time = hn::MulAdd(hn::Set(d, time), hn::Sub(sums.sum, before), sums.time);
  }
}

// What all underlyings add to the controls' logarithms, whatever their volatilities are.
template <bool greeks>
MAKESPAN_BODY void AddLogs(BasketPlan const& plan, BasketTerm const& term, hn::Vec<hn::F64> y,
                           BasketWalk& walk) {
  hn::F64 const d;
  walk.logs = hn::MulAdd(hn::Set(d, term.log_weight), y, walk.logs);
  if (plan.has_short) {
    walk.logs_short = hn::MulAdd(hn::Set(d, term.log_weight_short), y, walk.logs_short);
  }
  if constexpr (greeks) {
    walk.vega_logs = hn::MulAdd(hn::Set(d, term.vega_log_weight), y, walk.vega_logs);
  }
}

// One underlying, its state at `row`, over a step with the normal y, and the twin over one with -y.
template <bool antithetic, bool greeks>
MAKESPAN_BODY void TakeKnownStep(StepOf const& at, hn::Vec<hn::F64> y, BasketWalk& walk) {
  hn::F64 const d;
  BasketTerm const& term = at.term;
  BasketDrift const& drift = at.drift;
  auto const x = hn::MulAdd(hn::Set(d, term.deviation), y, hn::Load(d, at.row(row_log)));
  hn::Store(x, d, at.row(row_log));
  auto c = hn::Zero(d);
  auto theta = hn::Zero(d);
  if constexpr (greeks) {
    c = hn::MulAdd(hn::Set(d, term.vega_root), y, hn::Load(d, at.row(row_vega)));
    hn::Store(c, d, at.row(row_vega));
    if (at.is_first) {
      theta = hn::Mul(hn::Set(d, drift.slope), y);
      hn::Store(theta, d, at.row(row_theta));
      walk.theta_logs = hn::MulAdd(hn::Set(d, drift.log_weight), theta, walk.theta_logs);
    } else {
      theta = hn::Load(d, at.row(row_theta));
    }
  }
  if (!at.step.has_price) return;
  auto const growth = hn::Set(d, term.log_growth);
  auto const constant = hn::Set(d, drift.growth + drift.convexity);
  LogPriceSlopes const up{x, c, hn::Add(constant, theta), x};
  AddPrice<greeks, false>(term, hn::Add(growth, x), up, walk.up);
  if constexpr (antithetic) {
    LogPriceSlopes const down{x, c, hn::Sub(constant, theta), x};
    AddPrice<greeks, false>(term, hn::Sub(growth, x), down, walk.down);
  }
}

// The volatility at X, and its derivative; flat outside the grid.
struct LocalVolatility {
  hn::Vec<hn::F64> value;
  hn::Vec<hn::F64> slope;
};

template <bool greeks>
MAKESPAN_BODY LocalVolatility VolatilityAt(SliceGrid const& grid, double const* slice,
                                           hn::Vec<hn::F64> x) {
  hn::F64 const d;
  hn::U64 const du;
  auto const of = [&](double value) { return hn::Set(d, value); };
  auto const magic = of(0x1.8p52);  // beside it doubles are whole numbers
  auto const place = hn::Mul(hn::Sub(x, of(grid.low)), of(grid.inverse_width));
  auto const inside = hn::Min(hn::Max(place, of(0)), of(grid.last));
  auto const shifted = hn::Add(inside, magic);
  auto const f = hn::Sub(inside, hn::Sub(shifted, magic));
  auto const cell = hn::Sub(hn::BitCast(du, shifted), hn::BitCast(du, magic));
  static_assert(slice_terms == 4);
  auto const first = hn::ShiftLeft<2>(cell);
  auto const c0 = hn::Gather(d, slice, first);
  auto const c1 = hn::Gather(d, slice + 1, first);
  auto const c2 = hn::Gather(d, slice + 2, first);
  auto const c3 = hn::Gather(d, slice + 3, first);
  LocalVolatility out;
  out.value = hn::MulAdd(hn::MulAdd(hn::MulAdd(c3, f, c2), f, c1), f, c0);
  out.slope = hn::Zero(d);
  if constexpr (greeks) {
    auto const rise =
        hn::MulAdd(hn::MulAdd(hn::Mul(of(3), c3), f, hn::Add(c2, c2)), f, c1);
    auto const slope = hn::Mul(rise, of(grid.inverse_width));
    auto const below_end = hn::IfThenElse(hn::Gt(place, of(grid.last)), of(0), slope);
    out.slope = hn::IfThenElse(hn::Gt(of(0), place), of(0), below_end);
  }
  return out;
}

// One path of a local volatility; `twin`: whether it is the second one, with the normal -y.
template <bool greeks, bool twin>
MAKESPAN_BODY void TakeLocalStep(SliceGrid const& grid, StepOf const& at, hn::Vec<hn::F64> y,
                                 BasketSums& sums) {
  hn::F64 const d;
  auto const of = [&](double value) { return hn::Set(d, value); };
  auto const row = [&](BasketRow which) {
    return at.row(static_cast<BasketRow>(which + (twin ? twin_rows - 1 : 0)));
  };
  BasketStep const& step = at.step;
  LogPriceSlopes next;
  auto const before = hn::Load(d, row(row_log));
  LocalVolatility const volatility = VolatilityAt<greeks>(grid, at.term.slice, before);
  auto const random = hn::Mul(of(twin ? -step.root_dt : step.root_dt), y);
  auto const halved = hn::MulAdd(of(-0.5 * step.dt), volatility.value, random);
  next.x = hn::MulAdd(volatility.value, halved, before);
  hn::Store(next.x, d, row(row_log));
  next.vega = next.theta = next.delta = hn::Zero(d);
  if constexpr (greeks) {
    // Of the step to the volatility; times its slope that to X.
    auto const by = hn::MulAdd(of(-step.dt), volatility.value, random);
    auto const factor = hn::MulAdd(volatility.slope, by, of(1));
    auto const delta = at.is_first ? of(1) : hn::Load(d, row(row_delta));
    next.delta = hn::Mul(delta, factor);
    next.vega = hn::MulAdd(hn::Load(d, row(row_vega)), factor, by);
    if (at.is_first) {
      auto const slope = of(twin ? -at.drift.slope : at.drift.slope);
      next.theta = hn::MulAdd(slope, y, of(at.drift.convexity));
    } else {
      next.theta = hn::Mul(hn::Load(d, row(row_theta)), factor);
    }
    hn::Store(next.delta, d, row(row_delta));
    hn::Store(next.vega, d, row(row_vega));
    hn::Store(next.theta, d, row(row_theta));
    next.theta = hn::Add(next.theta, of(at.drift.growth));
    // Functionals of a twin have the sign that a path's negative would give them.
    if (twin) next.vega = hn::Sub(hn::Zero(d), next.vega);
  }
  if (!step.has_price) return;
  AddPrice<greeks, true>(at.term, hn::Add(of(at.term.log_growth), next.x), next, sums);
}

}  // namespace makespan::asian::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_ASIAN_BASKET_STEP_INL_HPP

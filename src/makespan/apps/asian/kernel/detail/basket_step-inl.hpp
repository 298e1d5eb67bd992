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
  hn::Vec<hn::F64> smooth_up[smooth_terms];
  hn::Vec<hn::F64> smooth_down[smooth_terms];
};

// Rows of BasketPlan::state; those of the twin, where it is not the path's negative, follow.
enum BasketRow : int { row_normal, row_log, row_vega, row_theta, row_delta, twin_rows };
static_assert(basket_state_rows == 2 * twin_rows - 1);

template <int row_size>
MAKESPAN_BODY double* BasketStateAt(double* state, int underlying, BasketRow row) {
  return state + static_cast<std::ptrdiff_t>(underlying * basket_state_rows + row) * row_size;
}

// One underlying in one step, and the place of a vector of paths in its state, whose rows are
// `row_size` paths long.
template <int row_size>
struct StepOf {
  BasketStep const& step;
  BasketTerm const& term;
  BasketDrift const& drift;
  double const* slice;  // if the volatility has one
  bool is_first;
  double* state;
};

template <int row_size>
MAKESPAN_BODY double* RowOf(StepOf<row_size> const& at, BasketRow which) {
  return at.state + static_cast<std::ptrdiff_t>(which) * row_size;
}

// Of the logarithm of a price: its random part, and derivatives to a shift of all volatilities, to
// the time of today, and to ln spot (of a local volatility).
struct LogPriceSlopes {
  hn::Vec<hn::F64> x;
  hn::Vec<hn::F64> vega;
  hn::Vec<hn::F64> theta;
  hn::Vec<hn::F64> delta;
};

// One price's part of the sums, and what its price times its weight is.
template <bool greeks, bool local>
MAKESPAN_BODY hn::Vec<hn::F64> AddPrice(BasketTerm const& term, hn::Vec<hn::F64> log_price,
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
  return weighted;
}

// The time of a step, for what the step has added to the sum.
template <bool greeks>
MAKESPAN_BODY void AddTime(double time, hn::Vec<hn::F64> before, BasketSums& sums) {
  hn::F64 const d;
  if constexpr (greeks) {
    sums.time = hn::MulAdd(hn::Set(d, time), hn::Sub(sums.sum, before), sums.time);
  }
}

MAKESPAN_BODY void AddPowers(BasketTerm const& term, hn::Vec<hn::F64> weighted,
                             hn::Vec<hn::F64> (&sums)[smooth_terms]) {
  hn::F64 const d;
  auto const place = hn::Set(d, term.place);
  auto power = weighted;
  MAKESPAN_UNROLL
  for (int n = 0; n < smooth_terms; ++n) {
    sums[n] = hn::Add(sums[n], power);
    power = hn::Mul(power, place);
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
template <bool antithetic, bool greeks, bool smooth, int row_size>
MAKESPAN_BODY void TakeKnownStep(StepOf<row_size> const& at, hn::Vec<hn::F64> y, BasketWalk& walk) {
  hn::F64 const d;
  BasketTerm const& term = at.term;
  BasketDrift const& drift = at.drift;
  auto const x = hn::MulAdd(hn::Set(d, term.deviation), y, hn::Load(d, RowOf(at, row_log)));
  hn::Store(x, d, RowOf(at, row_log));
  auto c = hn::Zero(d);
  auto theta = hn::Zero(d);
  if constexpr (greeks) {
    c = hn::MulAdd(hn::Set(d, term.vega_root), y, hn::Load(d, RowOf(at, row_vega)));
    hn::Store(c, d, RowOf(at, row_vega));
    if (at.is_first) {
      theta = hn::Mul(hn::Set(d, drift.slope), y);
      hn::Store(theta, d, RowOf(at, row_theta));
      walk.theta_logs = hn::MulAdd(hn::Set(d, drift.log_weight), theta, walk.theta_logs);
    } else {
      theta = hn::Load(d, RowOf(at, row_theta));
    }
  }
  if (!at.step.has_price) return;
  auto const growth = hn::Set(d, term.log_growth);
  auto const constant = hn::Set(d, drift.growth + drift.convexity);
  // The last, delta, is not looked at: without a local volatility it is 1.
  LogPriceSlopes const up{x, c, hn::Add(constant, theta), x};
  auto const weighted = AddPrice<greeks, false>(term, hn::Add(growth, x), up, walk.up);
  if constexpr (smooth) AddPowers(term, weighted, walk.smooth_up);
  if constexpr (antithetic) {
    LogPriceSlopes const down{x, c, hn::Sub(constant, theta), x};
    auto const twin = AddPrice<greeks, false>(term, hn::Sub(growth, x), down, walk.down);
    if constexpr (smooth) AddPowers(term, twin, walk.smooth_down);
  }
}

// The volatility at X and its derivatives; flat outside the grid.
struct LocalVolatility {
  hn::Vec<hn::F64> s;
  hn::Vec<hn::F64> s1;
  hn::Vec<hn::F64> s2;
  hn::Vec<hn::F64> s3;
};

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
  hn::Quad const cubic = hn::GatherQuads(d, slice, cell);
  auto const [c0, c1, c2, c3] = cubic.part;
  // A derivative's unit: 0 outside.
  auto const below_end =
      hn::IfThenElse(hn::Gt(place, of(grid.last)), of(0), of(grid.inverse_width));
  auto const unit = hn::IfThenElse(hn::Gt(of(0), place), of(0), below_end);
  auto const twice_c2 = hn::Add(c2, c2);
  auto const c3f = hn::Mul(of(3), hn::Mul(c3, f));
  auto const unit2 = hn::Mul(unit, unit);
  LocalVolatility out;
  out.s = hn::MulAdd(hn::MulAdd(hn::MulAdd(c3, f, c2), f, c1), f, c0);
  out.s1 = hn::Mul(unit, hn::MulAdd(hn::Add(c3f, twice_c2), f, c1));
  out.s2 = hn::Mul(unit2, hn::Add(twice_c2, hn::Add(c3f, c3f)));
  out.s3 = hn::Mul(hn::Mul(unit2, unit), hn::Mul(of(6), c3));
  return out;
}

// What a step adds to X, and its derivatives to X and to a shift of the volatility.
struct LocalChange {
  hn::Vec<hn::F64> x;
  hn::Vec<hn::F64> by_x;
  hn::Vec<hn::F64> by_volatility;
  hn::Vec<hn::F64> by_dt;
};

// The Taylor scheme of weak order 2 of dX = -s^2 dt / 2 + s dW, r the increment of W:
//   s r - s^2 dt / 2 + s s' (r^2 - dt) / 2
//   + s^2 dt ((s'' - 3 s') r + (s s' - s'^2 - s s'') dt) / 4.
// P. Kloeden, E. Platen, Numerical Solution of Stochastic Differential Equations (1992), eq.
// 14.2.6. With s from the middle of the step its changes with time are in it.
template <bool greeks>
MAKESPAN_BODY LocalChange ChangeOf(LocalVolatility const& at, double dt, hn::Vec<hn::F64> r,
                                   bool is_first) {
  hn::F64 const d;
  auto const of = [&](double value) { return hn::Set(d, value); };
  auto const s_s1 = hn::Mul(at.s, at.s1);
  auto const s_s2 = hn::Mul(at.s, at.s2);
  auto const s1_s1 = hn::Mul(at.s1, at.s1);
  auto const half_excess = hn::Mul(of(0.5), hn::MulAdd(r, r, of(-dt)));
  auto const random = hn::NegMulAdd(of(3), at.s1, at.s2);
  auto const certain = hn::Sub(hn::Sub(s_s1, s1_s1), s_s2);
  auto const bracket = hn::MulAdd(random, r, hn::Mul(of(dt), certain));
  auto const quarter = hn::Mul(of(0.25 * dt), at.s);
  LocalChange out;
  auto sum = hn::MulAdd(of(-0.5 * dt), at.s, r);
  sum = hn::MulAdd(at.s1, half_excess, sum);
  sum = hn::MulAdd(quarter, bracket, sum);
  out.x = hn::Mul(at.s, sum);
  out.by_x = out.by_volatility = out.by_dt = hn::Zero(d);
  if constexpr (greeks) {
    auto const euler = hn::MulAdd(of(-dt), at.s, r);
    auto const twice = hn::Add(quarter, quarter);
    auto const quarter_s = hn::Mul(quarter, at.s);
    auto by_x = hn::MulAdd(hn::Add(s1_s1, s_s2), half_excess, hn::Mul(at.s1, euler));
    by_x = hn::MulAdd(hn::Mul(twice, at.s1), bracket, by_x);
    auto const random_x = hn::NegMulAdd(of(3), at.s2, at.s3);
    auto certain_x = hn::Add(s1_s1, s_s2);
    certain_x = hn::NegMulAdd(hn::Mul(of(3), at.s1), at.s2, certain_x);
    certain_x = hn::NegMulAdd(at.s, at.s3, certain_x);
    auto const bracket_x = hn::MulAdd(random_x, r, hn::Mul(of(dt), certain_x));
    out.by_x = hn::MulAdd(quarter_s, bracket_x, by_x);
    auto by_volatility = hn::MulAdd(at.s1, half_excess, euler);
    by_volatility = hn::MulAdd(twice, bracket, by_volatility);
    auto const slope = hn::Mul(of(dt), hn::Sub(at.s1, at.s2));
    out.by_volatility = hn::MulAdd(quarter_s, slope, by_volatility);
    if (is_first) {
      // r goes with the root of dt.
      auto by_dt = hn::MulAdd(of(-0.5), at.s, hn::Mul(of(0.5 / dt), r));
      auto const square = hn::MulAdd(hn::Mul(r, r), of(0.5 / dt), of(-0.5));
      by_dt = hn::MulAdd(at.s1, square, by_dt);
      auto const last = hn::MulAdd(hn::Mul(of(1.5), random), r, hn::Mul(of(2 * dt), certain));
      by_dt = hn::MulAdd(hn::Mul(of(0.25), at.s), last, by_dt);
      out.by_dt = hn::Mul(at.s, by_dt);
    }
  }
  return out;
}

// Moves the state of one path of a local volatility; `row(which)`: where it is.
template <bool greeks, int row_size, class Row>
MAKESPAN_BODY LogPriceSlopes MoveLocal(StepOf<row_size> const& at, Row const& row,
                                       hn::Vec<hn::F64> before, LocalChange const& change) {
  hn::F64 const d;
  auto const of = [&](double value) { return hn::Set(d, value); };
  LogPriceSlopes next;
  next.x = hn::Add(before, change.x);
  hn::Store(next.x, d, row(row_log));
  next.vega = next.theta = next.delta = hn::Zero(d);
  if constexpr (greeks) {
    auto const times = [&](hn::Vec<hn::F64> slope) {
      return hn::MulAdd(slope, change.by_x, slope);
    };
    next.delta = times(at.is_first ? of(1) : hn::Load(d, row(row_delta)));
    next.vega = hn::Add(times(hn::Load(d, row(row_vega))), change.by_volatility);
    if (at.is_first) {
      // The middle of the step, whose volatility it has, moves half as far as its beginning.
      auto const later = of(-0.5 * at.drift.volatility_slope);
      next.theta = hn::MulAdd(later, change.by_volatility, change.by_dt);
    } else {
      next.theta = times(hn::Load(d, row(row_theta)));
    }
    hn::Store(next.delta, d, row(row_delta));
    hn::Store(next.vega, d, row(row_vega));
    hn::Store(next.theta, d, row(row_theta));
    next.theta = hn::Add(next.theta, of(at.drift.growth));
  }
  return next;
}

// One underlying of a local volatility over a step with the normals y, and the twins over one with
// -y; stage by stage, so that one path's latencies are another's work.
template <bool antithetic, bool greeks, int vectors, int row_size>
MAKESPAN_BODY void TakeLocalStep(SliceGrid const& grid, StepOf<row_size> const& at,
                                 hn::Vec<hn::F64> const (&y)[vectors],
                                 BasketWalk (&walk)[vectors]) {
  constexpr int twins = antithetic ? 2 : 1;
  constexpr int paths = twins * vectors;
  hn::F64 const d;
  BasketStep const& step = at.step;
  auto const row_of = [&](int path, BasketRow which) {
    bool const is_twin = path % twins == 1;
    auto const row = static_cast<BasketRow>(which + (is_twin ? twin_rows - 1 : 0));
    return RowOf(at, row) + path / twins * hn::lanes_f64;
  };
  hn::Vec<hn::F64> before[paths];
  LocalVolatility volatility[paths];
  MAKESPAN_UNROLL
  for (int p = 0; p < paths; ++p) {
    before[p] = hn::Load(d, row_of(p, row_log));
    volatility[p] = VolatilityAt(grid, at.slice, before[p]);
  }
  LogPriceSlopes next[paths];
  MAKESPAN_UNROLL
  for (int p = 0; p < paths; ++p) {
    auto const r = hn::Mul(hn::Set(d, p % twins == 1 ? -step.root_dt : step.root_dt), y[p / twins]);
    auto const change = ChangeOf<greeks>(volatility[p], step.dt, r, at.is_first);
    auto const row = [&](BasketRow which) { return row_of(p, which); };
    next[p] = MoveLocal<greeks>(at, row, before[p], change);
  }
  if (!step.has_price) return;
  auto const growth = hn::Set(d, at.term.log_growth);
  MAKESPAN_UNROLL
  for (int p = 0; p < paths; ++p) {
    bool const is_twin = p % twins == 1;
    BasketSums& sums = is_twin ? walk[p / twins].down : walk[p / twins].up;
    // Functionals of a twin have the sign that a path's negative would give them.
    if (greeks && is_twin) next[p].vega = hn::Sub(hn::Zero(d), next[p].vega);
    AddPrice<greeks, true>(at.term, hn::Add(growth, next[p].x), next[p], sums);
  }
}

}  // namespace makespan::asian::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_ASIAN_BASKET_STEP_INL_HPP

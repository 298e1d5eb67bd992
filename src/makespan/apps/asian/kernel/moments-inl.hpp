// SPDX-License-Identifier: Apache-2.0
// Adds up payoffs and their products over the paths of a slab, in double and in an order that no
// number of lanes changes.

#if defined(MAKESPAN_ASIAN_MOMENTS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_ASIAN_MOMENTS_INL_HPP
#undef MAKESPAN_ASIAN_MOMENTS_INL_HPP
#else
#define MAKESPAN_ASIAN_MOMENTS_INL_HPP
#endif

#include <utility>

#include "makespan/apps/asian/kernel/detail/moment_terms.hpp"
#include "makespan/apps/asian/kernel/detail/smooth_payoff-inl.hpp"
#include "makespan/apps/asian/kernel/path_group-inl.hpp"
#include "makespan/apps/asian/kernel/payoff-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::asian::MAKESPAN_TARGET {
namespace hn = makespan::simd::MAKESPAN_TARGET;

MAKESPAN_BODY Doubles LoadDoubles(float const* from) {
  return hn::PromoteTo(hn::F64(), hn::Load(hn::F32Half(), from));
}
MAKESPAN_BODY Doubles LoadDoubles(double const* from) {
  return hn::Load(hn::F64(), from);
}

enum class Twin : bool { up, down };
// Whether a payoff's paths are those of one lognormal price, or of a model
// (MomentJob::is_of_model), in double precision, whose functionals are more and other ones.
enum class Paths : bool { lognormal, of_model };

// What Greeks need of a path whose twin is not its negative.
template <Twin twin, class T>
MAKESPAN_BODY void LoadOwnTwin(T const* values, int path, PathValues& out) {
  constexpr bool up = twin == Twin::up;
  auto const at = [&](Functional f) { return LoadDoubles(At(values, f, path)); };
  out.average_slope = at(up ? brownian_up : brownian_down);
  out.end_slope = at(up ? vega_end : vega_end_down);
  out.log_slope = at(up ? vega_logs : vega_logs_down);
  out.end_theta = at(up ? theta_end_up : theta_end_down);
  out.log_theta = at(up ? theta_logs : theta_logs_down);
}

template <Twin twin, bool greeks, Paths paths, class T>
MAKESPAN_BODY PathValues LoadPath(MomentJob const& job, T const* values, int path) {
  constexpr bool up = twin == Twin::up;
  auto const at = [&](Functional f) { return LoadDoubles(At(values, f, path)); };
  auto const odd = [&](Functional f) { return up ? at(f) : hn::Sub(Of(0), at(f)); };
  PathValues out{};
  out.average = hn::Add(at(up ? sum_up : sum_down), Of(job.arithmetic.constant));
  out.logs = odd(log_sum);
  if constexpr (paths == Paths::of_model) {
    if (!up && job.has_own_twin) out.logs = at(log_sum_down);
  }
  out.exercise = out.logs;
  if constexpr (paths == Paths::of_model) {
    if (greeks && job.has_own_twin) {
      auto const normal = at(up ? direction_normal_up : direction_normal_down);
      out.exercise = hn::Mul(normal, Of(job.log.deviation));
    }
    if (job.short_part.is_there) {
      out.logs_short = odd(log_sum_short);
      out.exercise = hn::Sub(hn::Mul(Of(job.short_part.long_scale), out.logs),
                             hn::Mul(Of(job.short_part.scale), out.logs_short));
    }
  }
  out.terminal = hn::Mul(at(up ? growth_up : growth_down), Of(job.arithmetic.terminal_scale));
  if constexpr (greeks) {
    CommonTerms const& common = job.common;
    auto const sum_brownian = odd(up ? brownian_up : brownian_down);
    out.brownian = odd(brownian);
    out.sum_time = at(up ? time_up : time_down);
    if constexpr (sizeof(T) == sizeof(double)) {
      out.end_slope = hn::Sub(odd(vega_end), Of(common.volatility_time));
      out.log_slope = hn::Sub(odd(vega_logs), Of(job.log.volatility_time));
      out.average_slope = hn::Sub(sum_brownian, at(up ? vega_up : vega_down));
    } else {
      out.end_slope = hn::Sub(out.brownian, Of(common.volatility_time));
      out.log_slope = hn::MulAdd(out.logs, Of(1 / common.volatility), Of(-job.log.volatility_time));
      out.average_slope = hn::MulAdd(Of(-common.volatility), out.sum_time, sum_brownian);
    }
    out.sum_direction = at(up ? direction_up : direction_down);
    out.sum_direction2 = at(up ? direction2_up : direction2_down);
    out.average_delta = out.average;
    if constexpr (paths == Paths::of_model) {
      if (common.has_own_delta) {
        out.average_delta = hn::Add(at(up ? delta_up : delta_down), Of(job.arithmetic.constant));
      }
      if (common.has_own_theta) {
        out.average_theta = at(up ? theta_up : theta_down);
        out.log_theta = hn::Add(odd(theta_logs), Of(job.log.theta_constant));
      }
      if (job.has_own_twin) LoadOwnTwin<twin>(values, path, out);
    }
  }
  return out;
}

template <Paths paths>
MAKESPAN_BODY Doubles LogAverage(MomentJob const& job, PathValues const& path) {
  Doubles const g = hn::Exp(hn::F64(), hn::Add(path.logs, Of(job.log.level)));
  if (paths == Paths::lognormal || !job.short_part.is_there) return g;
  return hn::Sub(g, hn::Exp(hn::F64(), hn::Add(path.logs_short, Of(job.short_part.level))));
}

// Delta and theta of an average price, where paths bring them themselves.
MAKESPAN_BODY void FillOwnGreeks(MomentJob const& job, PathValues const& path, PathOutputs& out) {
  Doubles const above = hn::Sub(path.average, Of(job.arithmetic.level));
  if (job.common.has_own_delta) {
    Doubles const margin = hn::Mul(Of(job.common.side), above);
    out.value[delta] = Exercised(job.common, margin, path.average_delta);
  }
  if (job.common.has_own_theta) FillOwnTheta(job.common, above, path.average_theta, out);
}

// Theta of an average strike, where paths bring it: `average` is what the strike is a multiple of,
// with its derivative to time.
MAKESPAN_BODY void FillStrikeTheta(CommonTerms const& common, PathValues const& path,
                                   Doubles average, Doubles average_theta, PathOutputs& out) {
  if (!common.has_own_theta) return;
  Doubles const k = Of(common.multiplier);
  Doubles const end_theta = hn::Mul(path.terminal, path.end_theta);
  FillOwnTheta(common, hn::NegMulAdd(k, average, path.terminal),
               hn::NegMulAdd(k, average_theta, end_theta), out);
}

template <bool greeks, Payoff payoff, Paths paths>
MAKESPAN_BODY PathOutputs ArithmeticPayoff(MomentJob const& job, PathValues const& path) {
  if constexpr (payoff == Payoff::average_strike) {
    PathOutputs out = ArithmeticStrike<greeks>(job.common, job.arithmetic, job.log, path);
    if constexpr (greeks && paths == Paths::of_model) {
      Doubles const total = hn::Add(path.average, Of(job.arithmetic.level));
      FillStrikeTheta(job.common, path, total, path.average_theta, out);
    }
    return out;
  }
  PathOutputs out = ArithmeticPrice<greeks>(job.common, job.arithmetic, job.log, path);
  if constexpr (greeks && paths == Paths::of_model) FillOwnGreeks(job, path, out);
  return out;
}
template <bool greeks, Payoff payoff, Paths paths>
MAKESPAN_BODY PathOutputs LogPayoff(MomentJob const& job, Doubles g, PathValues const& path) {
  if constexpr (payoff == Payoff::average_strike) {
    PathOutputs out = LogStrike<greeks>(job.common, job.arithmetic, job.log, g, path);
    if constexpr (greeks && paths == Paths::of_model) {
      FillStrikeTheta(job.common, path, g, hn::Mul(g, path.log_theta), out);
    }
    return out;
  }
  if constexpr (paths == Paths::of_model) {
    if (job.short_part.is_there) return DifferencePrice<greeks>(job.common, job.log, g);
  }
  PathOutputs out = LogPrice<greeks>(job.common, job.log, g, path);
  if constexpr (greeks && paths == Paths::of_model) {
    if (job.common.has_own_theta)
      FillOwnTheta(job.common, hn::Sub(g, Of(job.log.strike)), hn::Mul(g, path.log_theta), out);
  }
  return out;
}

// Of a path and its twin.
struct SmoothPair {
  SmoothOutputs up;
  SmoothOutputs down;
};

template <bool greeks>
MAKESPAN_BODY SmoothPair LoadSmooth(MomentJob const& job, double const* values, int path,
                                    PathValues const& up, PathValues const& down) {
  auto const load = [&](Functional first, PathValues const& own) {
    Doubles powers[smooth_terms];
    for (int n = 0; n < smooth_terms; ++n) {
      powers[n] = LoadDoubles(At(values, static_cast<Functional>(first + n), path));
    }
    Doubles const normal = hn::Mul(own.exercise, Of(1 / job.log.deviation));
    return SmoothPrice<greeks>(job.common, job.arithmetic, job.smooth, powers, normal);
  };
  return {load(smooth_up, up), load(smooth_down, down)};
}

// x in lanes that hold a sample (`valid` is 1), else 0. Not a product: what stands in other lanes
// may not be finite.
MAKESPAN_BODY Doubles Valid(Doubles valid, Doubles x) {
  return hn::IfThenElse(hn::Gt(valid, Of(0)), x, Of(0));
}

// The contract's own payoff, about its centre, from the one simulated, which may be the other
// side's.
template <Payoff payoff>
MAKESPAN_BODY Doubles OwnPayoff(MomentJob const& job, PathValues const& path, Doubles simulated) {
  Doubles const level = Of(job.arithmetic.level);
  Doubles const forward =
      payoff == Payoff::average_price
          ? hn::Sub(path.average, level)
          : hn::NegMulAdd(Of(job.common.multiplier), hn::Add(path.average, level), path.terminal);
  return hn::Add(hn::MulAdd(Of(job.parity), forward, simulated), Of(-job.own_centre));
}

// The terms of one lane-vector of samples (moment_terms.hpp).
template <Estimator estimator, bool greeks>
struct Terms {
  Doubles value[term_count(estimator, greeks)];
};

template <bool greeks, Payoff payoff, Paths paths, class T>
MAKESPAN_BODY Terms<Estimator::plain, greeks> PlainTerms(MomentJob const& job, T const* values,
                                                         int path, Doubles valid) {
  constexpr int outputs = greeks ? output_count : 1;
  PathValues const up = LoadPath<Twin::up, greeks, paths>(job, values, path);
  PathOutputs const x = job.average == Average::arithmetic
                            ? ArithmeticPayoff<greeks, payoff, paths>(job, up)
                            : LogPayoff<greeks, payoff, paths>(job, LogAverage<paths>(job, up), up);
  Terms<Estimator::plain, greeks> terms;
  terms.value[exercised_term] =
      Valid(valid, hn::IfThenElse(hn::Gt(x.value[price], Of(0)), Of(1), Of(0)));
  MAKESPAN_UNROLL
  for (int k = 0; k < outputs; ++k) {
    terms.value[plain_terms_first + k] =
        Valid(valid, hn::Sub(x.value[k], Of(job.centre[static_cast<std::size_t>(k)])));
  }
  return terms;
}

template <bool greeks, Payoff payoff, Paths paths, class T>
MAKESPAN_BODY Terms<Estimator::controlled, greeks> ControlledTerms(MomentJob const& job,
                                                                   T const* values, int path,
                                                                   Doubles valid) {
  constexpr int outputs = greeks ? output_count : 1;
  PathValues const up = LoadPath<Twin::up, greeks, paths>(job, values, path);
  PathValues const down = LoadPath<Twin::down, greeks, paths>(job, values, path);
  Doubles const g_up = LogAverage<paths>(job, up);
  Doubles const g_down = LogAverage<paths>(job, down);
  PathOutputs const x_up = ArithmeticPayoff<greeks, payoff, paths>(job, up);
  PathOutputs const x_down = ArithmeticPayoff<greeks, payoff, paths>(job, down);
  PathOutputs const y_up = LogPayoff<greeks, payoff, paths>(job, g_up, up);
  PathOutputs const y_down = LogPayoff<greeks, payoff, paths>(job, g_down, down);
  auto const mean = [&](Doubles a, Doubles b, double centre) {
    return Valid(valid, hn::MulAdd(Of(0.5), hn::Add(a, b), Of(-centre)));
  };
  Terms<Estimator::controlled, greeks> terms;
  Doubles const any = hn::Add(x_up.value[price], x_down.value[price]);
  terms.value[exercised_term] = Valid(valid, hn::IfThenElse(hn::Gt(any, Of(0)), Of(1), Of(0)));
  Doubles const off_up = OwnPayoff<payoff>(job, up, x_up.value[price]);
  Doubles const off_down = OwnPayoff<payoff>(job, down, x_down.value[price]);
  Doubles const squares = hn::MulAdd(off_up, off_up, hn::Mul(off_down, off_down));
  terms.value[square_term] = hn::Mul(Of(0.5), Valid(valid, squares));
  terms.value[linear_term_1] = mean(up.average, down.average, job.linear_mean[0]);
  terms.value[linear_term_2] = mean(g_up, g_down, job.linear_mean[1]);
  MAKESPAN_UNROLL
  for (int k = 0; k < outputs; ++k) {
    auto const output = static_cast<std::size_t>(k);
    Doubles* const at = terms.value + controlled_terms_first + k * controlled_terms_stride;
    at[0] = mean(x_up.value[k], x_down.value[k], job.centre[output]);
    at[1] = mean(y_up.value[k], y_down.value[k], job.control_mean[output]);
  }
  if constexpr (greeks && paths == Paths::of_model) {
    int const at = controlled_terms_first + gamma * controlled_terms_stride;
    // Its mean is not known. A control that is always 0 is left out of the fit (estimate.cpp).
    if (job.has_own_twin) terms.value[at + 1] = Of(0);
  }
  if constexpr (paths == Paths::of_model) {
    if (job.smooth.is_there) {
      SmoothPair const pair = LoadSmooth<greeks>(job, values, path, up, down);
      auto const set = [&](Output k, Doubles a, Doubles b) {
        Doubles* const at = terms.value + controlled_terms_first + k * controlled_terms_stride;
        at[0] = mean(a, b, job.centre[static_cast<std::size_t>(k)]);
        at[1] = Of(0);
      };
      set(price, pair.up.price, pair.down.price);
      if constexpr (greeks) {
        set(delta, pair.up.delta, pair.down.delta);
        set(gamma, pair.up.gamma, pair.down.gamma);
      }
      Doubles const average = mean(pair.up.average, pair.down.average, job.linear_mean[0]);
      terms.value[linear_term_1] = average;
      // The fit leaves out a control that an earlier one explains.
      terms.value[linear_term_2] = average;
    }
  }
  return terms;
}

template <Estimator estimator, bool greeks, Payoff payoff, Paths paths = Paths::lognormal, class T>
MAKESPAN_BODY Terms<estimator, greeks> TermsOf(MomentJob const& job, T const* values, int path,
                                               Doubles valid) {
  if constexpr (estimator == Estimator::plain) {
    return PlainTerms<greeks, payoff, paths>(job, values, path, valid);
  } else {
    return ControlledTerms<greeks, payoff, paths>(job, values, path, valid);
  }
}

template <Estimator estimator, int moment, bool greeks>
MAKESPAN_BODY void AddToMoment(Terms<estimator, greeks> const& terms, Doubles* sum) {
  constexpr MomentFactors factors = moment_factors(estimator, moment);
  Doubles const left = terms.value[factors.left];
  if constexpr (factors.right == MomentFactors::none) {
    sum[moment] = hn::Add(sum[moment], left);
  } else {
    sum[moment] = hn::MulAdd(left, terms.value[factors.right], sum[moment]);
  }
}

template <Estimator estimator, bool greeks, int... moments>
MAKESPAN_BODY void AddTerms(Terms<estimator, greeks> const& terms, Doubles* sum,
                            std::integer_sequence<int, moments...> /*all*/) {
  (AddToMoment<estimator, moments>(terms, sum), ...);
}

// Strands [first, first + lanes) over all rows of the slab.
template <Estimator estimator, bool greeks, Payoff payoff, Paths paths, class T>
void AddStrands(MomentJob const& job, T const* values, int first, double* strands) {
  constexpr int count = moment_count(estimator, greeks);
  hn::F64 const d;
  Doubles sum[count];
  for (int m = 0; m < count; ++m) sum[m] = hn::Load(d, strands + m * strand_count + first);
  auto const add_row = [&](int row, Doubles valid) {
    AddTerms(TermsOf<estimator, greeks, payoff, paths>(job, values, row + first, valid), sum,
             std::make_integer_sequence<int, count>());
  };
  int const whole = job.samples / strand_count * strand_count;
  for (int row = 0; row < whole; row += strand_count) add_row(row, Of(1));
  if (whole < job.samples) {
    alignas(64) double valid[hn::lanes_f64];
    for (int lane = 0; lane < hn::lanes_f64; ++lane)
      valid[lane] = whole + first + lane < job.samples ? 1.0 : 0.0;
    add_row(whole, hn::Load(d, valid));
  }
  for (int m = 0; m < count; ++m) hn::Store(sum[m], d, strands + m * strand_count + first);
}

template <class T>
using AddStrandsOf = void (*)(MomentJob const&, T const*, int, double*);

template <Estimator estimator, Paths paths, class T>
AddStrandsOf<T> SelectStrands(MomentJob const& job) {
  constexpr auto on_price = Payoff::average_price;
  constexpr auto on_strike = Payoff::average_strike;
  if (job.payoff == on_price) {
    return job.greeks ? AddStrands<estimator, true, on_price, paths, T>
                      : AddStrands<estimator, false, on_price, paths, T>;
  }
  return job.greeks ? AddStrands<estimator, true, on_strike, paths, T>
                    : AddStrands<estimator, false, on_strike, paths, T>;
}

template <Estimator estimator, class T>
AddStrandsOf<T> SelectStrands(MomentJob const& job) {
  if constexpr (sizeof(T) == sizeof(double)) {
    if (job.is_of_model) return SelectStrands<estimator, Paths::of_model, T>(job);
  }
  return SelectStrands<estimator, Paths::lognormal, T>(job);
}

// Adds a slab's moments to strands[moment][strand].
template <class T>
void AddMoments(MomentJob const& job, T const* values, double* strands) {
  auto const add = job.estimator == Estimator::plain ? SelectStrands<Estimator::plain, T>(job)
                                                     : SelectStrands<Estimator::controlled, T>(job);
  for (int first = 0; first < strand_count; first += hn::lanes_f64)
    add(job, values, first, strands);
}

}  // namespace makespan::asian::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_ASIAN_MOMENTS_INL_HPP

// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/estimate/heston_control.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

#include "makespan/apps/asian/contract/term_structure.hpp"
#include "makespan/simd/portable_complex.hpp"
#include "makespan/simd/portable_math.hpp"

namespace makespan::asian {

namespace {

using simd::Complex;
using simd::product;
using simd::quotient;

// The integral runs over a range of logarithms of at least so many deviations; the integrand is
// taken to have ended once it is below `negligible` at several points in a row, and what is left of
// it, if it falls no faster from there on, below `negligible_rest`.
constexpr double range_deviations = 44;
constexpr double negligible = 1e-13;
constexpr double negligible_rest = 1e-10;
constexpr int points_below = 4;
constexpr int points_max = 100'000;

// What may come back from beyond the range, as a share of the root of forward times strike: 1e-12.
constexpr double alias_log = -27.6;

// A logarithm that comes together as a product, of factors near 1: few logarithms of many numbers.
class ProductLog {
 public:
  void multiply(Complex factor) {
    bool const is_near = factor.real() > 0.5 && std::fabs(factor.imag()) < 0.2 * factor.real();
    if (!is_near || ++factors_ == factors_max) {
      sum_ += simd::portable_log(product_) + simd::portable_log(factor);
      product_ = 1;
      factors_ = 0;
      return;
    }
    product_ = product(product_, factor);
  }
  [[nodiscard]] Complex total() const { return sum_ + simd::portable_log(product_); }

 private:
  static constexpr int factors_max = 12;  // of an angle below 0.2: together less than half a turn
  Complex sum_ = 0;
  Complex product_ = 1;
  int factors_ = 0;
};

// ln E[e^(a x + b V)] after a time, given V at its beginning, is
// constant - 2 kappa theta log / xi^2 + variance · V; x is the logarithm of the price, less its
// growth.
struct Affine {
  Complex constant = 0;
  Complex variance = 0;
  ProductLog log{};
};

// (1 - e^-x) / x, given e^-x.
Complex falling(Complex x, Complex decay) {
  constexpr double near_squared = 1e-4;
  // The difference loses its digits as x falls. The first term that the series leaves out is
  // x^6 / 5040, below 1e-15.
  if (x.real() * x.real() + x.imag() * x.imag() < near_squared) {
    Complex sum = 1;
    for (int k = 6; k >= 2; --k) sum = 1.0 - product(x, sum) / static_cast<double>(k);
    return sum;
  }
  return quotient(1.0 - decay, x);
}

// What a step multiplied (Affine::log), and the distance of the roots of its equation.
struct StepBack {
  Complex factor;
  Complex root;

  // Whether a real moment is finite all through the step, after which it is real.
  [[nodiscard]] bool is_finite(double dt) const {
    // Riccati's b = -2 u' / (xi^2 u), and u = e^((p + root) t / 2) factor, real: b ends where u
    // has its first 0. With real roots there is one at most; else u is a wave, that has one in each
    // half turn.
    double const turn = 0.5 * root.imag() * dt;
    double const wave = product(simd::portable_exp(Complex{0, turn}), factor).real();
    return wave > 0 && std::fabs(turn) < std::numbers::pi;
  }
};

// One step of the transform, backwards.
StepBack step_back(Heston const& model, Complex a, double dt, Affine& at) {
  double const xi2 = model.variance_volatility * model.variance_volatility;
  Complex const p = model.correlation * model.variance_volatility * a - model.mean_reversion;
  Complex const q = 0.5 * (product(a, a) - a);
  Complex const d = simd::portable_sqrt(product(p, p) - 2 * xi2 * q);
  // The stable root of xi^2 b^2 / 2 + p b + q, by whichever formula does not cancel.
  bool const is_opposite = p.real() * d.real() + p.imag() * d.imag() < 0;
  Complex const low = is_opposite ? 2.0 * quotient(q, d - p) : (-p - d) / xi2;
  // b - low falls by e^(-d dt) / factor, also where both roots are one: kappa = rho xi and a = 1
  // (docs/decisions/0130-range-of-hestons-integral.md).
  Complex const decay = simd::portable_exp(-d * dt);
  Complex const above = at.variance - low;
  Complex const factor = 1.0 - product(0.5 * xi2 * dt * above, falling(d * dt, decay));
  at.variance = low + quotient(product(above, decay), factor);
  at.log.multiply(factor);
  at.constant += model.mean_reversion * model.variance_mean * dt * low;
  return {factor, d};
}

// A transform at one point, and the derivatives of its logarithm: to a shift of the square roots of
// the variance now and of its mean, and to the length of the first step.
struct TransformValue {
  Complex value;
  Complex vega;
  Complex time;
};

// E[exp(sum of a_k (x_k - x_(k-1)))] over the schedule's steps, a_k = base + z (tail_k - offset).
class Transform {
 public:
  Transform(Contract const& contract, Schedule const& schedule)
      : model_{contract.heston},
        schedule_{schedule},
        base_{contract.payoff == Payoff::average_price ? 0.0 : 1.0} {}

  [[nodiscard]] TransformValue operator()(Complex z) const {
    Affine at;
    for (std::size_t i = schedule_.time.size(); i-- > 0;) {
      static_cast<void>(step_back(model_, power(z, i), step(i), at));
    }
    Heston const& model = model_;
    double const xi2 = model.variance_volatility * model.variance_volatility;
    Complex const by_mean = total(at);  // times the variance's mean
    Complex const b = at.variance;
    // Riccati's equations of the last step back, which is the first.
    Complex const a = power(z, 0);
    Complex const p = model.correlation * model.variance_volatility * a - model.mean_reversion;
    Complex const slope = product(0.5 * xi2 * b + p, b) + 0.5 * (product(a, a) - a);
    return {.value = simd::portable_exp(by_mean + b * model.variance_now),
            .vega = by_mean * (2 / std::sqrt(model.variance_mean)) +
                    b * (2 * std::sqrt(model.variance_now)),
            .time = b * (model.mean_reversion * model.variance_mean) + slope * model.variance_now};
  }

  // The logarithm of the transform at a real z, infinite where it is.
  [[nodiscard]] double log_moment(double z) const {
    Affine at;
    for (std::size_t i = schedule_.time.size(); i-- > 0;) {
      StepBack const done = step_back(model_, power(z, i), step(i), at);
      if (!done.is_finite(step(i))) return std::numeric_limits<double>::infinity();
      at.variance = at.variance.real();
    }
    return total(at).real() + at.variance.real() * model_.variance_now;
  }

 private:
  // A step's increment of x is in all later logarithms, hence the tail; in units of S_T (base 1) it
  // is in S_T besides.
  [[nodiscard]] Complex power(Complex z, std::size_t i) const {
    return base_ + z * (schedule_.tail_weight[i] - base_);
  }
  [[nodiscard]] double step(std::size_t i) const {
    return schedule_.time[i] - (i == 0 ? 0 : schedule_.time[i - 1]);
  }
  // Of the exponent what is not times the variance now.
  [[nodiscard]] Complex total(Affine const& at) const {
    double const xi2 = model_.variance_volatility * model_.variance_volatility;
    double const scale = 2 * model_.mean_reversion * model_.variance_mean / xi2;
    return at.constant - scale * at.log.total();
  }

  Heston const& model_;
  Schedule const& schedule_;
  double base_;
};

// A call and the probability that it is exercised; derivatives of its value (TransformValue).
struct Call {
  double value;
  double probability;
  double vega = 0;
  double time = 0;
  double error = 0;  // both as HestonControl has them
  double greek_error = 0;

  // Mean of what it is on, where it is exercised.
  [[nodiscard]] double exercised(double strike) const { return value + strike * probability; }
};

// Undiscounted, on a lognormal.
Call black(double forward, double strike, double deviation) {
  double const upper = simd::portable_log(forward / strike) / deviation + 0.5 * deviation;
  double const probability = simd::normal_cdf(upper - deviation);
  return {forward * simd::normal_cdf(upper) - strike * probability, probability};
}

// The range of logarithms that the trapezoidal rule is to have. What lies beyond comes back to it:
// with a range R, e^(R/2) times a put whose strike is e^-R times as high, and e^(-R/2) times a call
// whose strike is e^R times as high, both over sqrt(F K). By Markov's inequality neither is more
// than phi(1/2 -+ s) (F / K)^-+s e^(-s R), for any s whose moment is finite. Tails of the model are
// exponential: where the variance is volatile they reach much further than the deviation tells.
double safe_range(Transform const& transform, double log_moneyness, double mean_log,
                  double deviation) {
  // A lognormal's range is met with the first s, which is then all that this takes.
  double const range_min = range_deviations * deviation;
  double const first = 32 / range_min;
  constexpr double smaller = 0.7;
  constexpr int tries_max = 200;
  double safe = range_min;
  for (double const side : {-1.0, 1.0}) {
    double best = std::numeric_limits<double>::infinity();
    double s = first;
    for (int i = 0; i < tries_max && best > range_min; ++i, s *= smaller) {
      double const moment = transform.log_moment(0.5 + side * s) - 0.5 * mean_log;
      double const here = (moment + side * s * log_moneyness - alias_log) / s;
      // The bound falls to its best s, and rises beyond.
      if (std::isfinite(best) && !(here < best)) break;
      if (here < best) best = here;
    }
    if (std::isfinite(best)) safe = std::max(safe, best);
  }
  return safe;
}

// What the integral's rule adds up, and what may be missing of it.
struct IntegralSums {
  double value = 0;
  double slope = 0;  // to ln strike
  double vega = 0;   // at a given mean
  double time = 0;
  // Of the value and of the others, at most.
  double missing = 0;
  double greek_missing = 0;
};

// Lewis: a call is F - sqrt(F K) / pi · integral over u > 0 of
// Re[e^(i u ln(F / K)) phi(1/2 + i u)] / (u^2 + 1/4). A lognormal of the same mean and deviation is
// taken off the integrand. Sums of the rule, without its step.
IntegralSums sums_of(Transform const& transform, TransformValue const& first, double log_moneyness,
                     double deviation, double step) {
  double const mean_log = simd::portable_log(first.value.real());
  IntegralSums sums;
  int below = 0;
  for (int k = 0; k < points_max && below < points_below; ++k) {
    double const u = step * k;
    Complex const z{0.5, u};
    TransformValue const here = transform(z);
    // Both as variables of mean 1.
    Complex const shift = simd::portable_exp(Complex{-0.5 * mean_log, -u * mean_log});
    Complex const ours = product(here.value, shift);
    double const lognormal = simd::portable_exp(-0.5 * deviation * deviation * (u * u + 0.25));
    Complex const wave = simd::portable_exp(Complex{0, u * (log_moneyness + mean_log)});
    Complex const at = product(wave, ours - lognormal);
    Complex const moved = product(wave, ours);
    // The real part is even in u: half of the rule over all u.
    double const weight = (k == 0 ? 0.5 : 1.0) / (u * u + 0.25);
    sums.value += weight * at.real();
    sums.slope += weight * u * at.imag();
    // At a given mean; the mean's own derivative counts below, times what is exercised.
    Complex const vega = here.vega - z * first.vega.real();
    Complex const time = here.time - z * first.time.real();
    sums.vega += weight * product(moved, vega).real();
    sums.time += weight * product(moved, time).real();
    double const size = std::fabs(ours.real()) + std::fabs(ours.imag()) + lognormal;
    bool const is_negligible =
        size < negligible * (u * u + 0.25) && (u < 1 || size < negligible_rest * u);
    below = is_negligible ? below + 1 : 0;
    if (k + 1 < points_max || below == points_below) continue;
    // Not at its end: the integrand falls at least as 1 / u^2 from here on, times what the
    // derivatives multiply it by.
    sums.missing = size * weight * k;
    sums.greek_missing =
        sums.missing * std::max({u, std::sqrt(std::norm(vega)), std::sqrt(std::norm(time))});
  }
  return sums;
}

// A call on `forward` times the variable of a transform.
Call call(Transform const& transform, double forward, double strike, double deviation) {
  TransformValue const first = transform(1.0);
  double const moment = first.value.real();  // of the variable
  double const log_moneyness = simd::portable_log(forward / strike);
  double const step = 2 * std::numbers::pi /
                      safe_range(transform, log_moneyness, simd::portable_log(moment), deviation);
  IntegralSums const sums = sums_of(transform, first, log_moneyness, deviation, step);
  double const mean = forward * moment;
  double const scale = std::sqrt(mean * strike) * step / std::numbers::pi;
  Call const lognormal = black(mean, strike, deviation);
  // The probability is minus the derivative to the strike.
  Call out{lognormal.value - scale * sums.value,
           lognormal.probability + scale * (0.5 * sums.value + sums.slope) / strike};
  double const exercised = out.exercised(strike);
  out.vega = exercised * first.vega.real() - scale * sums.vega;
  out.time = exercised * first.time.real() - scale * sums.time;
  out.error = scale * sums.missing;
  out.greek_error = scale * sums.greek_missing;
  return out;
}

}  // namespace

HestonControl heston_control(Contract const& contract, ContractLaw const& law,
                             Schedule const& schedule) {
  Transform const transform(contract, schedule);
  TransformValue const first = transform(1.0);
  double const moment = first.value.real();
  double const side = law.common.side;
  double const level = simd::portable_exp(law.log.level);
  double const growth = law.common.drift;
  double const logs_growth = growth * schedule.tail_weight.front();
  if (contract.payoff == Payoff::average_price) {
    double const mean = level * moment;
    double const strike = law.log.strike;
    double const mean_vega = mean * first.vega.real();
    double const mean_time = mean * first.time.real();
    if (strike <= 0) {
      if (side < 0) return {.average = mean};
      return {.price = mean - strike,
              .average = mean,
              .exercised_average = mean,
              .vega = mean_vega,
              .time = mean_time + logs_growth * mean};
    }
    Call const called = call(transform, level, strike, law.log.deviation);
    double const over = 0.5 * (side - 1);  // a put is a call less the forward
    double const where_exercised = called.exercised(strike) + over * mean;
    return {.price = called.value + over * (mean - strike),
            .average = mean,
            .exercised_average = where_exercised,
            .vega = called.vega + over * mean_vega,
            .time = called.time + over * mean_time + logs_growth * where_exercised,
            .error = called.error,
            .greek_error = called.greek_error};
  }
  // In units of S_T, whose measure the transform is under: a put on the average, of strike 1.
  double const end = law.forward.terminal;
  double const scale = law.common.multiplier * level / end;
  Call const called = call(transform, scale, 1, law.log.deviation);
  double const over = 0.5 * (side + 1);
  double const mean = scale * moment;
  // Of 1 where it is exercised, and of the average.
  double const one = over - called.probability;
  double const average = over * mean - called.exercised(1);
  return {.price = end * (called.value - over * (mean - 1)),
          .average = level * moment,
          .exercised_average = end * average,
          .exercised_end = end * one,
          .vega = end * (called.vega - over * mean * first.vega.real()),
          .time = end * (called.time - over * mean * first.time.real() + growth * one -
                         logs_growth * average),
          .error = end * called.error,
          .greek_error = end * called.greek_error};
}

Outputs heston_outputs(HestonControl const& control, ContractLaw const& law, Payoff payoff) {
  CommonTerms const& common = law.common;
  bool const on_price = payoff == Payoff::average_price;
  double const average = on_price ? -control.exercised_average : control.exercised_average;
  double const end = control.exercised_end;
  double const drift = common.expiry * end - law.log.time * average;
  Outputs out{};
  out[price] = control.price;
  out[delta] = end - law.log.share * average;
  out[vega] = control.vega;
  out[dividend_rho] = -drift;
  out[rho] = common.rho_drift * drift - common.payment * control.price;
  // As time passes the first step becomes shorter.
  out[theta] = common.rate * control.price - control.time;
  return out;
}

Outputs heston_errors(HestonControl const& control, ContractLaw const& law) {
  // Each output is made of price, means, vega and time by factors of this size at most.
  CommonTerms const& common = law.common;
  double const size = 2 + std::fabs(common.rate) + std::fabs(common.drift) + common.payment +
                      common.expiry * (1 + std::fabs(common.rho_drift));
  Outputs out{};
  out.fill(size * control.greek_error);
  out[price] = control.error;
  out[gamma] = 0;
  return out;
}

}  // namespace makespan::asian

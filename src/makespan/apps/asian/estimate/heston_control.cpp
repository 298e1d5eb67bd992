// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/estimate/heston_control.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>

#include "makespan/apps/asian/contract/term_structure.hpp"
#include "makespan/simd/portable_complex.hpp"
#include "makespan/simd/portable_math.hpp"

namespace makespan::asian {

namespace {

using simd::Complex;
using simd::product;
using simd::quotient;

// The integral runs over a range of logarithms of this many deviations; the integrand is taken to
// have ended once it is below `negligible` at several points in a row.
constexpr double range_deviations = 44;
constexpr double negligible = 1e-13;
constexpr int points_below = 4;
constexpr int points_max = 20'000;

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

// ln E[e^(a x + b V)] after a time, given V at its beginning, is constant - 2 kappa theta log /
// xi^2
// + variance · V; x is the logarithm of the price, less its growth.
struct Affine {
  Complex constant = 0;
  Complex variance = 0;
  ProductLog log{};
};

// One step of the transform, backwards.
void step_back(Heston const& model, Complex a, double dt, Affine& at) {
  double const xi2 = model.variance_volatility * model.variance_volatility;
  Complex const p = model.correlation * model.variance_volatility * a - model.mean_reversion;
  Complex const q = 0.5 * (product(a, a) - a);
  Complex const d = simd::portable_sqrt(product(p, p) - 2 * xi2 * q);
  // Roots of xi^2 b^2 / 2 + p b + q, the stable one first.
  Complex const low = (-p - d) / xi2;
  Complex const high = (-p + d) / xi2;
  double const scale = model.mean_reversion * model.variance_mean;
  if (at.variance == high) {  // stays
    at.constant += scale * dt * high;
    return;
  }
  Complex const decay = simd::portable_exp(-d * dt);
  // (b - low) / (b - high) falls by e^(-d dt).
  Complex const ratio = quotient(at.variance - low, at.variance - high);
  Complex const left = 1.0 - product(ratio, decay);
  at.variance = quotient(low - product(high, product(ratio, decay)), left);
  at.log.multiply(quotient(left, 1.0 - ratio));
  at.constant += scale * dt * low;
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
    Complex a = 0;
    for (std::size_t i = schedule_.time.size(); i-- > 0;) {
      double const start = i == 0 ? 0 : schedule_.time[i - 1];
      // A step's increment of x is in all later logarithms, hence the tail; in units of S_T (base
      // 1) it is in S_T besides.
      a = base_ + z * (schedule_.tail_weight[i] - base_);
      step_back(model_, a, schedule_.time[i] - start, at);
    }
    Heston const& model = model_;
    double const xi2 = model.variance_volatility * model.variance_volatility;
    double const scale = 2 * model.mean_reversion * model.variance_mean / xi2;
    Complex const by_mean = at.constant - scale * at.log.total();  // times the variance's mean
    Complex const b = at.variance;
    // Riccati's equations of the last step back, which is the first.
    Complex const p = model.correlation * model.variance_volatility * a - model.mean_reversion;
    Complex const slope = product(0.5 * xi2 * b + p, b) + 0.5 * (product(a, a) - a);
    return {.value = simd::portable_exp(by_mean + b * model.variance_now),
            .vega = by_mean * (2 / std::sqrt(model.variance_mean)) +
                    b * (2 * std::sqrt(model.variance_now)),
            .time = b * (model.mean_reversion * model.variance_mean) + slope * model.variance_now};
  }

 private:
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

  // Mean of what it is on, where it is exercised.
  [[nodiscard]] double exercised(double strike) const { return value + strike * probability; }
};

// Undiscounted, on a lognormal.
Call black(double forward, double strike, double deviation) {
  double const upper = simd::portable_log(forward / strike) / deviation + 0.5 * deviation;
  double const probability = simd::normal_cdf(upper - deviation);
  return {forward * simd::normal_cdf(upper) - strike * probability, probability};
}

// A call on `forward` times the variable of a transform.
Call call(Transform const& transform, double forward, double strike, double deviation) {
  // Lewis: a call is F - sqrt(F K) / pi · integral over u > 0 of
  // Re[e^(i u ln(F / K)) phi(1/2 + i u)] / (u^2 + 1/4). A lognormal of the same mean and deviation
  // is taken off the integrand, and added as Black's formula.
  TransformValue const first = transform(1.0);
  double const moment = first.value.real();  // of the variable
  double const log_moneyness = simd::portable_log(forward / strike);
  double const mean_log = simd::portable_log(moment);
  double const step = 2 * std::numbers::pi / (range_deviations * deviation);
  double sum = 0;
  double slope = 0;  // of the sum to ln strike
  double vega = 0;   // at a given mean
  double time = 0;
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
    sum += weight * at.real();
    slope += weight * u * at.imag();
    // At a given mean; the mean's own derivative counts below, times what is exercised.
    vega += weight * product(moved, here.vega - z * first.vega.real()).real();
    time += weight * product(moved, here.time - z * first.time.real()).real();
    double const size = std::fabs(ours.real()) + std::fabs(ours.imag()) + lognormal;
    below = size < negligible * (u * u + 0.25) ? below + 1 : 0;
  }
  double const mean = forward * moment;
  double const scale = std::sqrt(mean * strike) * step / std::numbers::pi;
  Call const lognormal = black(mean, strike, deviation);
  // The probability is minus the derivative to the strike.
  Call out{lognormal.value - scale * sum,
           lognormal.probability + scale * (0.5 * sum + slope) / strike};
  double const exercised = out.exercised(strike);
  out.vega = exercised * first.vega.real() - scale * vega;
  out.time = exercised * first.time.real() - scale * time;
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
            .time = called.time + over * mean_time + logs_growth * where_exercised};
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
                         logs_growth * average)};
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

}  // namespace makespan::asian

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

// E[exp(sum of a_k (x_k - x_(k-1)))] over the schedule's steps, a_k = base + z (tail_k - offset).
class Transform {
 public:
  Transform(Contract const& contract, Schedule const& schedule)
      : model_{contract.heston},
        schedule_{schedule},
        base_{contract.payoff == Payoff::average_price ? 0.0 : 1.0} {}

  [[nodiscard]] Complex operator()(Complex z) const {
    Affine at;
    for (std::size_t i = schedule_.time.size(); i-- > 0;) {
      double const start = i == 0 ? 0 : schedule_.time[i - 1];
      Complex const a = base_ + z * (schedule_.tail_weight[i] - base_);
      step_back(model_, a, schedule_.time[i] - start, at);
    }
    double const xi2 = model_.variance_volatility * model_.variance_volatility;
    double const scale = 2 * model_.mean_reversion * model_.variance_mean / xi2;
    return simd::portable_exp(at.constant - scale * at.log.total() +
                              at.variance * model_.variance_now);
  }

 private:
  Heston const& model_;
  Schedule const& schedule_;
  double base_;
};

// A call and the probability that it is exercised.
struct Call {
  double value;
  double probability;

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
  double const moment = transform(1.0).real();  // of the variable
  double const log_moneyness = simd::portable_log(forward / strike);
  double const mean_log = simd::portable_log(moment);
  double const step = 2 * std::numbers::pi / (range_deviations * deviation);
  double sum = 0;
  double slope = 0;  // of the sum to ln strike
  int below = 0;
  for (int k = 0; k < points_max && below < points_below; ++k) {
    double const u = step * k;
    Complex const z{0.5, u};
    Complex const shift = simd::portable_exp(Complex{-0.5 * mean_log, -u * mean_log});
    Complex const ours = product(transform(z), shift);
    double const lognormal = simd::portable_exp(-0.5 * deviation * deviation * (u * u + 0.25));
    Complex const wave = simd::portable_exp(Complex{0, u * (log_moneyness + mean_log)});
    Complex const at = product(wave, ours - lognormal);
    double const weight = (k == 0 ? 0.5 : 1.0) / (u * u + 0.25);
    sum += weight * at.real();
    slope += weight * u * at.imag();
    double const size = std::fabs(ours.real()) + std::fabs(ours.imag()) + lognormal;
    below = size < negligible * (u * u + 0.25) ? below + 1 : 0;
  }
  double const mean = forward * moment;
  double const scale = std::sqrt(mean * strike) * step / std::numbers::pi;
  Call const lognormal = black(mean, strike, deviation);
  return {lognormal.value - scale * sum,
          lognormal.probability + scale * (0.5 * sum + slope) / strike};
}

}  // namespace

HestonControl heston_control(Contract const& contract, ContractLaw const& law,
                             Schedule const& schedule) {
  Transform const transform(contract, schedule);
  double const moment = transform(1.0).real();
  double const side = law.common.side;
  double const level = simd::portable_exp(law.log.level);
  if (contract.payoff == Payoff::average_price) {
    double const mean = level * moment;
    double const strike = law.log.strike;
    if (strike <= 0) return {side > 0 ? mean - strike : 0, mean, side > 0 ? mean : 0, 0};
    Call const called = call(transform, level, strike, law.log.deviation);
    double const over = 0.5 * (side - 1);  // a put is a call less the forward
    return {called.value + over * (mean - strike), mean, called.exercised(strike) + over * mean, 0};
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
  return {end * (called.value - over * (mean - 1)), level * moment, end * average, end * one};
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
  out[dividend_rho] = -drift;
  out[rho] = common.rho_drift * drift - common.payment * control.price;
  return out;
}

}  // namespace makespan::asian

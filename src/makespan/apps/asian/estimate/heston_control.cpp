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

// An undiscounted call on a lognormal.
double black(double forward, double strike, double deviation) {
  double const upper = simd::portable_log(forward / strike) / deviation + 0.5 * deviation;
  return forward * simd::normal_cdf(upper) - strike * simd::normal_cdf(upper - deviation);
}

// A call on `forward` times the variable of a transform.
double call(Transform const& transform, double forward, double strike, double deviation) {
  double const moment = transform(1.0).real();  // of the variable
  double const log_moneyness = simd::portable_log(forward / strike);
  double const mean_log = simd::portable_log(moment);
  double const step = 2 * std::numbers::pi / (range_deviations * deviation);
  double sum = 0;
  int below = 0;
  for (int k = 0; k < points_max && below < points_below; ++k) {
    double const u = step * k;
    Complex const z{0.5, u};
    Complex const shift = simd::portable_exp(Complex{-0.5 * mean_log, -u * mean_log});
    Complex const ours = product(transform(z), shift);
    double const lognormal = simd::portable_exp(-0.5 * deviation * deviation * (u * u + 0.25));
    Complex const wave = simd::portable_exp(Complex{0, u * (log_moneyness + mean_log)});
    double const part = product(wave, ours - lognormal).real() / (u * u + 0.25);
    sum += k == 0 ? 0.5 * part : part;
    double const size = std::fabs(ours.real()) + std::fabs(ours.imag()) + lognormal;
    below = size < negligible * (u * u + 0.25) ? below + 1 : 0;
  }
  double const mean = forward * moment;
  double const correction = std::sqrt(mean * strike) * sum * step / std::numbers::pi;
  return black(mean, strike, deviation) - correction;
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
    if (law.log.strike <= 0) return {side > 0 ? mean - law.log.strike : 0, mean};
    double const called = call(transform, level, law.log.strike, law.log.deviation);
    double const over = 0.5 * (side - 1);  // a put is a call less the forward
    return {called + over * (mean - law.log.strike), mean};
  }
  // In units of S_T, whose measure the transform is under: a put on the average, of strike 1.
  double const end = law.forward.terminal;
  double const scale = law.common.multiplier * level / end;
  double const called = call(transform, scale, 1, law.log.deviation);
  double const over = 0.5 * (side + 1);
  double const value = called - over * (scale * moment - 1);
  return {end * value, level * moment};
}

}  // namespace makespan::asian

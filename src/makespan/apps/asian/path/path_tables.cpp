// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/path/path_tables.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "makespan/apps/asian/contract/term_structure.hpp"
#include "makespan/simd/portable_math.hpp"

namespace makespan::asian {

namespace {

// Rounds to single and hands what is lost to the next value, so that the sum of all is not biased
// by rounding.
class CarryingRounding {
 public:
  float operator()(double value) {
    auto const rounded = static_cast<float>(value + carry_);
    carry_ += value - static_cast<double>(rounded);
    return rounded;
  }

 private:
  double carry_ = 0;
};

// Polynomials of degree d in z that come nearest to e^(v z) - 1 in mean square over a standard
// normal z: the Hermite series e^(v^2/2) sum of v^k/k! He_k(z), cut off after k = d. Their mean is
// exact, so that no price drifts by the cut.
void fill_growth(double v, Growth growth, float (&coefficient)[7]) {
  constexpr double hermite[7][7] = {{1, 0, 0, 0, 0, 0, 0},     {0, 1, 0, 0, 0, 0, 0},
                                    {-1, 0, 1, 0, 0, 0, 0},    {0, -3, 0, 1, 0, 0, 0},
                                    {3, 0, -6, 0, 1, 0, 0},    {0, 15, 0, -10, 0, 1, 0},
                                    {-15, 0, 45, 0, -15, 0, 1}};
  if (growth == Growth::exponential) {
    coefficient[0] = static_cast<float>(v);
    return;
  }
  int const degree = growth == Growth::degree_3 ? 3 : growth == Growth::degree_4 ? 4 : 6;
  double sum[7] = {};
  double term = simd::portable_exp(0.5 * v * v);
  for (int k = 0; k <= degree; ++k) {
    for (int power = 0; power <= k; ++power) sum[power] += term * hermite[k][power];
    term *= v / (k + 1);
  }
  sum[0] -= 1;
  for (int power = 0; power <= degree; ++power) coefficient[power] = static_cast<float>(sum[power]);
}

// Steps of a uniform grid differ by rounding; a polynomial for a v that is off by less than this is
// the same in single precision.
constexpr double same_step = 1e-10;

void fill_f32(Contract const& contract, Schedule const& schedule, Growth shape,
              PathTableStore& store) {
  CarryingRounding round;
  double fitted = 0;  // the v that the last polynomial was made for
  double before = 0;
  for (std::size_t i = 0; i < schedule.time.size(); ++i) {
    double const root_dt = std::sqrt(schedule.clock[i] - before);
    double const v = contract.volatility * root_dt;
    double const growth = schedule.weight[i] * store.exponent[i];
    double const a = schedule.direction[i];
    // Always so at the first step, since v is above 0.
    if (std::fabs(v - fitted) > same_step * fitted) {
      fitted = v;
      fill_growth(v, shape, store.steps_f32[i].growth);
    } else {
      std::copy_n(store.steps_f32[i - 1].growth, 7, store.steps_f32[i].growth);
    }
    store.steps_f32[i].spot_growth = round(growth);
    store.steps_f32[i].log_weight = static_cast<float>(v * schedule.tail_weight[i]);
    store.greeks_f32[i] = {static_cast<float>(root_dt),
                           static_cast<float>(growth * schedule.time[i]),
                           static_cast<float>(growth * a), static_cast<float>(growth * a * a)};
    before = schedule.clock[i];
  }
}

void fill_f64(Contract const& contract, Schedule const& schedule, PathTableStore& store) {
  bool const is_constant = has_constant_volatility(contract);
  double before = 0;
  double volatility_before = 0;
  for (std::size_t i = 0; i < schedule.time.size(); ++i) {
    double const root_dt = std::sqrt(schedule.clock[i] - before);
    double const v = contract.volatility * root_dt;
    // With constant volatility C is B itself, to the bit. A curve's variance may round to none
    // between fixings that are an instant apart.
    double const by_curve = v > 0 ? (schedule.volatility[i] - volatility_before) / v : 0;
    double const vega_root = is_constant ? root_dt : by_curve;
    store.steps_f64[i] = {.root_dt = root_dt,
                          .log_growth = store.exponent[i],
                          .weight = schedule.weight[i],
                          .log_weight = v * schedule.tail_weight[i],
                          .time = schedule.time[i],
                          .direction = schedule.direction[i],
                          .vega_root = vega_root,
                          .vega_log_weight = vega_root * schedule.tail_weight[i],
                          .volatility = schedule.volatility[i]};
    before = schedule.clock[i];
    volatility_before = schedule.volatility[i];
  }
}

}  // namespace

Growth growth_for(double volatility, Schedule const& schedule) {
  double longest = 0;
  double before = 0;
  for (double const time : schedule.clock) {
    longest = std::max(longest, time - before);
    before = time;
  }
  // The first term cut off, v^(d+1) / (d+1)! He_(d+1), has the root mean square v^(d+1) /
  // sqrt((d+1)!); those of different steps are independent.
  double const v = volatility * std::sqrt(longest);
  double const steps = std::sqrt(static_cast<double>(schedule.time.size()));
  double const v4 = v * v * v * v;
  if (steps * v4 / std::sqrt(24.0) < growth_error_max) return Growth::degree_3;
  if (steps * v4 * v / std::sqrt(120.0) < growth_error_max) return Growth::degree_4;
  if (steps * v4 * v * v * v / std::sqrt(5040.0) < growth_error_max) return Growth::degree_6;
  return Growth::exponential;
}

PathTables make_tables(Contract const& contract, Schedule const& schedule, Precision precision,
                       ExpAll exp_all, PathTableStore& store) {
  auto const steps = schedule.time.size();
  bool const single = precision == Precision::fp32;
  Growth const growth = growth_for(contract.volatility, schedule);
  store.exponent.resize(steps);
  for (std::size_t i = 0; i < steps; ++i) {
    store.exponent[i] = log_growth_to(contract, schedule.time[i]);
  }
  if (single) {
    exp_all(store.exponent, store.exponent.data());
    store.steps_f32.resize(steps);
    store.greeks_f32.resize(steps);
    fill_f32(contract, schedule, growth, store);
  } else {
    store.steps_f64.resize(steps);
    fill_f64(contract, schedule, store);
  }
  return {store.steps_f32,         store.greeks_f32, store.steps_f64,
          static_cast<int>(steps), growth,           contract.volatility};
}

double terminal_scale(Contract const& contract, Precision precision) {
  // Paths of single precision are e^(sigma B), with the growth in their tables (StepF32).
  return precision == Precision::fp32 ? simd::portable_exp(log_growth_to(contract, contract.expiry))
                                      : 1;
}

}  // namespace makespan::asian

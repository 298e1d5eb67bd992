// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/path_tables.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace makespan::asian {

namespace {

// Rounds to single and hands what is lost to the next value, so that the sum of all is not biased by rounding.
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

void fill_growth(double v, float (&growth)[6]) {
  double power = 1;
  for (int k = 0; k < 6; ++k) {
    power *= v / (k + 1);
    growth[k] = static_cast<float>(power);
  }
}

void fill_f32(Contract const& contract, Schedule const& schedule, PathTableStore& store) {
  CarryingRounding round;
  double before = 0;
  for (std::size_t i = 0; i < schedule.time.size(); ++i) {
    double const root_dt = std::sqrt(schedule.time[i] - before);
    double const v = contract.volatility * root_dt;
    double const growth = schedule.weight[i] * store.exponent[i];
    double const a = schedule.direction[i];
    fill_growth(v, store.steps_f32[i].growth);
    store.steps_f32[i].spot_growth = round(growth);
    store.steps_f32[i].log_weight = static_cast<float>(v * schedule.tail_weight[i]);
    store.greeks_f32[i] = {static_cast<float>(root_dt), static_cast<float>(growth * schedule.time[i]),
                           static_cast<float>(growth * a), static_cast<float>(growth * a * a)};
    before = schedule.time[i];
  }
}

void fill_f64(Contract const& contract, Schedule const& schedule, PathTableStore& store) {
  double before = 0;
  for (std::size_t i = 0; i < schedule.time.size(); ++i) {
    double const root_dt = std::sqrt(schedule.time[i] - before);
    store.steps_f64[i] = {root_dt,          store.exponent[i], schedule.weight[i],
                          contract.volatility * root_dt * schedule.tail_weight[i],
                          schedule.time[i], schedule.direction[i]};
    before = schedule.time[i];
  }
}

}  // namespace

Growth growth_for(double volatility, Schedule const& schedule) {
  double longest = 0;
  double before = 0;
  for (double const time : schedule.time) {
    longest = std::max(longest, time - before);
    before = time;
  }
  // A polynomial of degree d drops terms whose mean over z is, first of all, v^6/48 (d = 4) or v^8/384 (d = 6) per step; an
  // average sees half of the steps.
  double const v2 = volatility * volatility * longest;
  double const half_steps = 0.5 * static_cast<double>(schedule.time.size());
  if (half_steps * v2 * v2 * v2 / 48 < 1e-9) return Growth::degree_4;
  if (half_steps * v2 * v2 * v2 * v2 / 384 < 1e-9) return Growth::degree_6;
  return Growth::exponential;
}

PathTables make_tables(Contract const& contract, Schedule const& schedule, Precision precision, ExpAll exp_all,
                       PathTableStore& store, ContractLaw& law) {
  auto const steps = schedule.time.size();
  bool const single = precision == Precision::fp32;
  double const log_drift = contract.drift - 0.5 * contract.volatility * contract.volatility;
  store.exponent.resize(steps);
  for (std::size_t i = 0; i < steps; ++i) store.exponent[i] = log_drift * schedule.time[i];
  if (single) {
    exp_all(store.exponent, store.exponent.data());
    store.steps_f32.resize(steps);
    store.greeks_f32.resize(steps);
    fill_f32(contract, schedule, store);
  } else {
    store.steps_f64.resize(steps);
    fill_f64(contract, schedule, store);
  }
  law.arithmetic.terminal_scale = single && steps > 0 ? store.exponent.back() : 1;
  return {store.steps_f32, store.greeks_f32, store.steps_f64, static_cast<int>(steps), growth_for(contract.volatility, schedule),
          contract.volatility};
}

}  // namespace makespan::asian

// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/path/heston_steps.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "makespan/apps/asian/contract/term_structure.hpp"
#include "makespan/simd/portable_math.hpp"

namespace makespan::asian {

namespace {

// A gap of a whole number of steps must not take one more by rounding.
constexpr double slack = 1e-9;

std::int64_t parts_of(Contract const& contract, double gap) {
  return std::max<std::int64_t>(
      static_cast<std::int64_t>(std::ceil(gap / contract.step_max - slack)), 1);
}

// What depends on the length of the step alone.
HestonStep step_of(Heston const& model, double dt) {
  double const decay = simd::portable_exp(-model.mean_reversion * dt);
  double const x = model.mean_reversion * dt;
  // 1 - e^-x, whose difference loses its digits as x falls.
  double const gain = x > 1e-5 ? 1 - decay : x * (1 - 0.5 * x);
  double const xi2 = model.variance_volatility * model.variance_volatility;
  double const rho = model.correlation;
  HestonStep step{};
  step.mean_factor = decay;
  step.variance_slope = xi2 * decay * gain / model.mean_reversion;
  step.variance_constant = model.variance_mean * xi2 * gain * gain / (2 * model.mean_reversion);
  // Andersen's K3, which is K4, K2 and A, with both ends of a step counting half (gamma_1 =
  // gamma_2 = 1/2).
  step.noise = 0.5 * dt * (1 - rho * rho);
  step.next = 0.5 * dt * (model.mean_reversion * rho / model.variance_volatility - 0.5) +
              rho / model.variance_volatility;
  step.exponent = step.next + 0.5 * step.noise;
  // Vega shifts the square root of theta: theta moves by 2 sqrt(theta), and mean and variance of
  // the next variance are linear in it.
  double const level_vega = 2 * std::sqrt(model.variance_mean);
  step.mean_vega = level_vega * gain;
  step.spread_vega = level_vega * xi2 * gain * gain / (2 * model.mean_reversion);
  return step;
}

// `length`: of the first step; `growth`: of the price now, a year.
HestonDrift drift_of(Heston const& model, double length, double growth) {
  // Derivatives of what step_of() makes, and of the next variance's mean and variance, to dt.
  double const decay = simd::portable_exp(-model.mean_reversion * length);
  double const xi2 = model.variance_volatility * model.variance_volatility;
  double const rho = model.correlation;
  HestonDrift drift{};
  drift.mean = model.mean_reversion * decay * (model.variance_mean - model.variance_now);
  drift.spread =
      xi2 * decay * ((2 * decay - 1) * model.variance_now + (1 - decay) * model.variance_mean);
  drift.noise = 0.5 * (1 - rho * rho);
  drift.next = 0.5 * (model.mean_reversion * rho / model.variance_volatility - 0.5);
  drift.exponent = drift.next + 0.5 * drift.noise;
  drift.growth = growth;
  return drift;
}

}  // namespace

std::int64_t heston_step_count(Contract const& contract) {
  std::int64_t steps = 0;
  double before = 0;
  auto const add = [&](double time) {
    if (time > before) steps += parts_of(contract, time - before);
    before = time;
  };
  for (std::int64_t i = 0; i < contract.fixings; ++i) add(fixing_time(contract, i));
  if (contract.payoff == Payoff::average_strike) add(contract.expiry);
  return steps;
}

HestonPlan lay_heston_plan(Contract const& contract, Schedule const& schedule, double growth_now,
                           std::vector<HestonStep>& steps) {
  Heston const& model = contract.heston;
  HestonPlan plan{.steps = {},
                  .variance_now = model.variance_now,
                  .variance_mean = model.variance_mean,
                  .variance_vega = 2 * std::sqrt(model.variance_now),
                  .drift = {}};
  steps.clear();
  double before = 0;
  for (std::size_t i = 0; i < schedule.time.size(); ++i) {
    double const time = schedule.time[i];
    std::int64_t const parts = parts_of(contract, time - before);
    double const length = (time - before) / static_cast<double>(parts);
    HestonStep step = step_of(model, length);
    step.growth = growth_between(contract, before, time) / static_cast<double>(parts);
    step.tail = schedule.tail_weight[i];
    if (steps.empty()) plan.drift = drift_of(model, length, growth_now);
    // Only the last part ends at a fixing; all have the tail of the control's weights.
    steps.insert(steps.end(), static_cast<std::size_t>(parts), step);
    steps.back().weight = schedule.weight[i];
    steps.back().log_weight = schedule.log_weight[i];
    steps.back().time = time;
    steps.back().has_price = true;
    before = time;
  }
  plan.steps = steps;
  return plan;
}

}  // namespace makespan::asian

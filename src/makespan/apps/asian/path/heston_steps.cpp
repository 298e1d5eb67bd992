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
  double const gain = x > 1e-5 ? 1 - decay : x * (1 - 0.5 * x);
  double const xi2 = model.variance_volatility * model.variance_volatility;
  double const rho = model.correlation;
  HestonStep step{};
  step.mean_factor = decay;
  step.variance_slope = xi2 * decay * gain / model.mean_reversion;
  step.variance_constant = model.variance_mean * xi2 * gain * gain / (2 * model.mean_reversion);
  step.noise = 0.5 * dt * (1 - rho * rho);
  step.next = 0.5 * dt * (model.mean_reversion * rho / model.variance_volatility - 0.5) +
              rho / model.variance_volatility;
  step.exponent = step.next + 0.5 * step.noise;
  return step;
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

void lay_heston_steps(Contract const& contract, Schedule const& schedule,
                      std::vector<HestonStep>& steps) {
  steps.clear();
  double before = 0;
  for (std::size_t i = 0; i < schedule.time.size(); ++i) {
    double const time = schedule.time[i];
    std::int64_t const parts = parts_of(contract, time - before);
    HestonStep step = step_of(contract.heston, (time - before) / static_cast<double>(parts));
    step.growth = growth_between(contract, before, time) / static_cast<double>(parts);
    step.tail = schedule.tail_weight[i];
    steps.insert(steps.end(), static_cast<std::size_t>(parts), step);
    steps.back().weight = schedule.weight[i];
    steps.back().log_weight = schedule.log_weight[i];
    steps.back().time = time;
    steps.back().has_price = true;
    before = time;
  }
}

}  // namespace makespan::asian

// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/estimate/exercise_jump.hpp"

#include <cstddef>

#include "makespan/simd/one_lane.hpp"
// (before the bodies: it says what they are written in)
#include "makespan/apps/asian/kernel/payoff-inl.hpp"
#include "makespan/simd/portable_math.hpp"

namespace makespan::asian {

namespace {

// On the boundary itself a payoff is not exercised, and its Greeks are 0.
constexpr double just_inside = 1e-9;  // relative

one_lane::PathOutputs on_price_boundary(ContractLaw const& law) {
  double const g = law.log.strike * (1 + law.common.side * just_inside);
  one_lane::PathValues path{};
  path.logs = simd::portable_log(g) - law.log.level;
  // Given ln G, its derivative's random part has the mean that their covariance says.
  path.log_slope = path.logs * law.vega.logs / law.log_variance - law.log.volatility_time;
  one_lane::PathOutputs out = one_lane::LogPrice<true>(law.common, law.log, g, path);
  if (law.common.has_own_theta) {
    double const slope =
        path.logs * law.log_theta_covariance / law.log_variance + law.log.theta_constant;
    one_lane::FillOwnTheta(law.common, g - law.log.strike, g * slope, out);
  }
  return out;
}

one_lane::PathOutputs on_strike_boundary(ContractLaw const& law) {
  double const k = law.common.multiplier;
  double const margin =
      (law.terminal_level - law.log.level - simd::portable_log(k)) / law.log.deviation;
  // At the boundary the standardised exercise variable is -margin; given it, this is the mean of
  // ln S_T, direction_end being their covariance.
  double const log_end = law.terminal_level - law.arithmetic.direction_end * margin;
  one_lane::PathValues path{};
  path.terminal = simd::portable_exp(log_end);
  path.brownian = (log_end - law.terminal_level) / law.common.volatility;
  double const g = path.terminal / k * (1 - law.common.side * just_inside);
  path.logs = simd::portable_log(g) - law.log.level;
  path.end_slope = path.brownian - law.common.volatility_time;
  path.log_slope = path.logs / law.common.volatility - law.log.volatility_time;
  return one_lane::LogStrike<true>(law.common, law.arithmetic, law.log, g, path);
}

}  // namespace

Outputs exercise_jump(ContractLaw const& law, Payoff payoff) {
  bool const on_price = payoff == Payoff::average_price;
  one_lane::PathOutputs const at = on_price ? on_price_boundary(law) : on_strike_boundary(law);
  Outputs jump{};
  for (std::size_t i = 0; i < output_count; ++i) jump[i] = at.value[i];
  jump[price] = 0;
  return jump;
}

}  // namespace makespan::asian

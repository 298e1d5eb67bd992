// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/estimate/rare_floors.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace makespan::asian {

Outputs rare_floors(Outputs const& control_mean, CommonTerms const& common,
                    AverageScales const& average) {
  Outputs floors{};
  for (std::size_t k = 0; k < output_count; ++k) floors[k] = std::fabs(control_mean[k]);
  double const value = floors[price];
  double const moves = floors[delta];
  if (!(value > 0)) return floors;
  double const exercise =
      average.level != 0 ? std::fabs((control_mean[price] - control_mean[delta]) / average.level)
                         : 0;
  double const spread = exercise * exercise / value * average.variance;
  double const drifts = common.expiry * moves;
  auto const at_least = [&](std::size_t k, double floor) {
    if (control_mean[k] == 0) floors[k] = std::max(floors[k], floor);
  };
  at_least(gamma, moves * moves / value);
  if (average.volatility > 0) at_least(vega, spread / average.volatility);
  at_least(dividend_rho, drifts);
  at_least(rho, common.payment * value + common.rho_drift * drifts);
  if (common.expiry > 0) {
    at_least(theta, std::fabs(common.rate) * value + std::fabs(common.drift) * moves +
                        spread / common.expiry);
  }
  return floors;
}

}  // namespace makespan::asian

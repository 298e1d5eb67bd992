// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/run/detail/option_estimate.hpp"

#include <cmath>
#include <cstddef>
#include <limits>

#include "makespan/apps/asian/estimate/cash_greeks.hpp"

namespace makespan::asian {

Estimate OptionEstimate::estimate_from(std::span<std::vector<double> const> moments,
                                       std::int64_t samples) const {
  return sampling.replicates == 1 ? estimate(terms, moments.front(), samples)
                                  : estimate_replicates(terms, moments, samples);
}

double OptionEstimate::price_error(Estimate const& estimate) const {
  return law.discount * contract.spot * (estimate.std_error[price] + control_error[price]);
}

double OptionEstimate::lasting_error() const {
  return law.discount * contract.spot * control_error[price];
}

OptionResult OptionEstimate::scaled(Outputs const& value, Outputs const& error) const {
  OptionResult result{};
  double const spot = contract.spot;
  for (std::size_t k = 0; k < output_count; ++k) {
    // Estimates are in units of the spot: a derivative to the spot has one of them less.
    double const unit = k == delta ? 1 : k == gamma ? 1 / spot : spot;
    double const scale = law.discount * unit * contract.notional;
    result.value[k] = scale * value[k];
    result.std_error[k] = std::fabs(scale) * error[k];
    result.error_bound[k] = std::numeric_limits<double>::quiet_NaN();
  }
  if (contract.cash_dividends.present_value > 0) {
    add_cash_dividends(contract, law, result.value);
    add_cash_dividend_errors(contract, law, result.std_error);
  }
  return result;
}

OptionResult OptionEstimate::result_from(Estimate const& estimate, std::int64_t samples) const {
  Outputs value{};
  for (std::size_t k = 0; k < output_count; ++k) value[k] = estimate.value[k] + parity[k];
  Outputs error = estimate.std_error;
  // All of it: the control's coefficient is 1, about.
  for (std::size_t k = 0; k < output_count; ++k) error[k] += control_error[k];
  OptionResult result = scaled(value, error);
  for (std::size_t k = 0; k < output_count; ++k) {
    if (has[k]) continue;
    result.value[k] = std::numeric_limits<double>::quiet_NaN();
    result.std_error[k] = std::numeric_limits<double>::quiet_NaN();
  }
  double const paths =
      static_cast<double>(samples) * sampling.paths_per_sample * sampling.replicates;
  double const noise = estimate.std_error[price];
  result.is_smoothed = is_smoothed;
  result.control_beta = estimate.control_beta;
  result.variance_reduction = noise > 0 ? estimate.path_variance / (paths * noise * noise)
                                        : std::numeric_limits<double>::quiet_NaN();
  Outputs beside{};
  beside[price] = bound + parity[price];
  result.method_price = scaled(beside, Outputs{}).value[price];
  return result;
}

}  // namespace makespan::asian

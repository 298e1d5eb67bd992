// SPDX-License-Identifier: Apache-2.0
#pragma once

// Greeks of a price by finite differences, for prices that are known to some 12 digits.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <utility>

#include "makespan/apps/asian/contract/contract_law.hpp"

namespace makespan::asian {

// The price of a contract in price units, discounted.
using PriceOf = std::function<double(Contract const&)>;

// Derivatives at 0, of fourth order in `step`.
inline double slope(std::function<double(double)> const& f, double step) {
  return (8 * (f(step) - f(-step)) - (f(2 * step) - f(-2 * step))) / (12 * step);
}
inline double slope_ahead(std::function<double(double)> const& f, double step) {
  return (-25 * f(0) + 48 * f(step) - 36 * f(2 * step) + 16 * f(3 * step) - 3 * f(4 * step)) /
         (12 * step);
}
inline double curvature(std::function<double(double)> const& f, double step) {
  double const sides = 16 * (f(step) + f(-step)) - (f(2 * step) + f(-2 * step));
  return (sides - 30 * f(0)) / (12 * step * step);
}

// The contract `years` later at the same spot: a fixing at time 0 is past then. Uniform grids only.
inline Contract later(Contract contract, double years) {
  if (contract.fixings > 0 && contract.first_fixing == 0 && years > 0) {
    double const spacing =
        contract.fixings > 1 ? contract.last_fixing / static_cast<double>(contract.fixings - 1) : 0;
    contract.first_fixing = spacing;
    --contract.fixings;
    ++contract.past_count;
    contract.past_sum += contract.spot;
    contract.past_log_sum += std::log(contract.spot);
  }
  contract.first_fixing -= years;
  contract.last_fixing -= years;
  contract.expiry -= years;
  return contract;
}

// In price units, discounted: what `makespan price --greeks` gives.
inline Outputs greeks_by_differences(Contract const& contract, PriceOf const& price_of) {
  auto const moved = [&](double Contract::* member) {
    return [&contract, &price_of, member](double by) {
      Contract bumped = contract;
      bumped.*member += by;
      return price_of(bumped);
    };
  };
  auto const with_rate = [&](double by) {
    Contract bumped = contract;
    bumped.rate += by;
    bumped.drift += contract.drift_given ? 0 : by;
    return price_of(bumped);
  };
  auto const in_time = [&](double by) { return price_of(later(contract, by)); };
  bool const fixes_now = contract.fixings > 0 && contract.first_fixing == 0;
  double const spot_step = 3e-3 * contract.spot;
  Outputs out{};
  out[price] = price_of(contract);
  out[delta] = slope(moved(&Contract::spot), spot_step);
  out[gamma] = curvature(moved(&Contract::spot), spot_step);
  out[vega] = slope(moved(&Contract::volatility), 1e-3);
  out[rho] = slope(with_rate, 1e-3);
  out[dividend_rho] = -slope(moved(&Contract::drift), 1e-3);
  out[theta] = fixes_now ? slope_ahead(in_time, 2e-4) : slope(in_time, 2e-4);
  return out;
}

// Outputs as the engine keeps them, in price units and discounted.
inline Outputs in_price_units(Outputs outputs, Contract const& contract, double discount) {
  for (std::size_t k = 0; k < output_count; ++k) {
    outputs[k] *= discount * (k == delta ? 1 : k == gamma ? 1 / contract.spot : contract.spot);
  }
  return outputs;
}

// `tolerance`: for each Greek relative to 1 + its size, the gamma's to that of 1 / spot.
inline void expect_near(Outputs const& ours, Outputs const& truth, double tolerance) {
  static constexpr char const* names[output_count] = {"price", "delta",        "gamma", "vega",
                                                      "rho",   "dividend_rho", "theta"};
  for (std::size_t k = 0; k < output_count; ++k) {
    double const unit = k == gamma ? 0.01 : 1;
    EXPECT_NEAR(ours[k], truth[k], tolerance * (unit + std::fabs(truth[k]))) << names[k];
  }
}

}  // namespace makespan::asian

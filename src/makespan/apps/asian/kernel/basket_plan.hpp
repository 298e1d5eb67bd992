// SPDX-License-Identifier: Apache-2.0
// Steps of paths of several correlated lognormal prices, of which the payoff looks at one weighted
// sum over prices and times.
#pragma once

#include <cstddef>
#include <span>

namespace makespan::asian {

// A step ends at a fixing, or where a volatility changes: within it all are constant.
struct BasketStep {
  double time;     // at its end [years]
  bool has_price;  // whether the prices at its end are looked at
};

// One underlying in one step. With y its normal, X += deviation y and S = e^(log_growth + X).
struct BasketTerm {
  double deviation;         // of the logarithm of the price
  double vega_root;         // its derivative to a shift of all volatilities
  double log_growth;        // up to the step's end: of the forward, less half the variance
  double weight;            // of the price in the payoff's sum; 0 at steps without a price
  double log_weight;        // of y in the control's logarithm
  double log_weight_short;  // and in that of the prices with a negative weight
  double vega_log_weight;   // derivative of log_weight to a shift of all volatilities
  double direction;         // a of contract_law.hpp
  double volatility;        // its integral up to the step's end
};

// One underlying now, for theta: an hour less to the first step's end changes the logarithm of each
// later price by -(constant + slope y) hours, y the first step's normal.
struct BasketDrift {
  double constant;
  double slope;
  double log_weight;  // of it in the control's logarithm
};

struct BasketPlan {
  int underlyings;
  int factors;
  std::span<double const> loading;  // (underlyings, factors): y = loading · independent normals
  std::span<BasketStep const> steps;
  std::span<BasketTerm const> terms;    // (steps, underlyings)
  std::span<BasketDrift const> drifts;  // (underlyings)
  bool has_short;                       // whether a weight is negative
  double* state;                        // work space, 64-byte aligned: basket_state_size(...)
};

// Rows of a group of paths in BasketPlan::state: of each underlying its normal, X, C and theta's
// slope.
inline constexpr int basket_state_rows = 4;

// Numbers of BasketPlan::state; enough for every instruction set.
[[nodiscard]] constexpr std::size_t basket_state_size(int underlyings) {
  constexpr std::size_t paths_max = 16;  // two vectors
  return static_cast<std::size_t>(underlyings) * basket_state_rows * paths_max;
}

}  // namespace makespan::asian

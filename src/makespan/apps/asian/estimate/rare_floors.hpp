// SPDX-License-Identifier: Apache-2.0
// What standard errors are at least where hardly any path was exercised.
#pragma once

#include "makespan/apps/asian/contract/contract_law.hpp"

namespace makespan::asian {

// Of the average in a payoff side (A - level)^+, in units of the spot.
struct AverageScales {
  double level;
  double variance;    // where it is at the level
  double volatility;  // of the prices that it is of, about
};

// By output: the mean of the payoff's control. Greeks of which the control has no mean (0) have
// what follows from its price P and its delta D, the derivative to a factor of A. The probability
// of exercise is |P - D| / level. While P falls at least exponentially in the level, which it does
// where its logarithm is concave, the density of A there is at most that probability squared over
// P, and gamma at most D^2 / P; the density times the variance is the derivative of P to the
// deviation times the deviation. To the rate P has the derivatives of its discount and of A's
// growth.
[[nodiscard]] Outputs rare_floors(Outputs const& control_mean, CommonTerms const& common,
                                  AverageScales const& average);

}  // namespace makespan::asian

// SPDX-License-Identifier: Apache-2.0
// The geometric average under Heston's variance in closed form: the control of an arithmetic one,
// and a price itself.
#pragma once

#include "makespan/apps/asian/contract/contract_law.hpp"
#include "makespan/apps/asian/contract/schedule.hpp"

namespace makespan::asian {

// Undiscounted, in units of the spot.
struct HestonControl {
  double price = 0;    // E[side (G - strike)^+], or E[side (S_T - multiplier G)^+]
  double average = 0;  // E[G]
  // Means of what is exercised: of side G, and for an average strike of side S_T and of side
  // multiplier G.
  double exercised_average = 0;
  double exercised_end = 0;
  // Derivatives of the price: to a shift of the square roots of the variance now and of its mean,
  // and to the length of the first step.
  double vega = 0;
  double time = 0;
  // What the integral lacks of price and average, at most, and of all else: 0 unless its integrand,
  // which hardly falls where the variance is near 0 and very volatile, was cut off.
  double error = 0;
  double greek_error = 0;
};

// Of the lognormal's place holder in `law` (make_law): G = e^(level + sum of p_i ln(S_i / E S_i)),
// without the discretisation of paths. For the side in law.common. Takes about 0.1 us for each
// fixing and each point: some hundred of them, thousands where the variance is very volatile.
//
// The logarithms of prices at fixings have a joint transform that is exponential in the variance:
// backwards from fixing to fixing by Heston's own formula (B. Kim, I. Wee, Quantitative Finance 14
// (2014) 1795-1809). The option follows by Lewis's integral less that of a lognormal of the same
// deviation (A. Lewis, Option Valuation under Stochastic Volatility (2000), ch. 2), by the
// trapezoidal rule, whose step is from moments of the model
// (docs/decisions/0130-range-of-hestons-integral.md).
[[nodiscard]] HestonControl heston_control(Contract const& contract, ContractLaw const& law,
                                           Schedule const& schedule);

// Of the control as a payoff (log_payoff.hpp): all but gamma, which is 0.
[[nodiscard]] Outputs heston_outputs(HestonControl const& control, ContractLaw const& law,
                                     Payoff payoff);
// What they may be off by with the control's `error`.
[[nodiscard]] Outputs heston_errors(HestonControl const& control, ContractLaw const& law);

}  // namespace makespan::asian

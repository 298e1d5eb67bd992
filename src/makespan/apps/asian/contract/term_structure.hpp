// SPDX-License-Identifier: Apache-2.0
// Rates, growth and volatility of a contract as functions of time, whether constant or by curves.
//
// With `clock`, time as the volatility counts it, the logarithm of the price is Brownian motion of
// one volatility, that of `Contract::volatility`:
//   ln S(t) / S(0) = growth_to(t) - sigma^2 clock_to(t) / 2 + sigma B(clock_to(t)).
// With constant volatility the clock is the calendar.
#pragma once

#include "makespan/apps/asian/contract/contract.hpp"

namespace makespan::asian {

[[nodiscard]] double payment_time(Contract const& contract);
// ln of the discount factor to the payment, its sign turned.
[[nodiscard]] double interest(Contract const& contract);
// ln of the forward at `time` over the spot, cash dividends aside.
[[nodiscard]] double growth_to(Contract const& contract, double time);
// Mean of ln(price at `time` / spot): the growth less half the variance. With a random variance,
// whose paths carry what it takes off themselves, the growth.
[[nodiscard]] double log_growth_to(Contract const& contract, double time);
// Of the logarithm of the price at `time`.
[[nodiscard]] double variance_to(Contract const& contract, double time);
// The integral of the volatility up to `time`: half the derivative of the variance to a shift of
// all volatilities.
[[nodiscard]] double volatility_to(Contract const& contract, double time);
[[nodiscard]] double clock_to(Contract const& contract, double time);

// The same from one time to a later one; exactly the constant's multiple if it is constant.
[[nodiscard]] double growth_between(Contract const& contract, double from, double to);
[[nodiscard]] double variance_between(Contract const& contract, double from, double to);
[[nodiscard]] double volatility_between(Contract const& contract, double from, double to);

// At time 0, as the pricing equation's theta has them.
[[nodiscard]] double rate_now(Contract const& contract);
[[nodiscard]] double drift_now(Contract const& contract);
[[nodiscard]] double volatility_now(Contract const& contract);

[[nodiscard]] bool has_constant_growth(Contract const& contract);
[[nodiscard]] bool has_constant_volatility(Contract const& contract);

// The time of the last price that the payoff looks at [years].
[[nodiscard]] double horizon(Contract const& contract);

}  // namespace makespan::asian

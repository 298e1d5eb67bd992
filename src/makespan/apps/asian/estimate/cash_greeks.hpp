// SPDX-License-Identifier: Apache-2.0
// What cash dividends add to the Greeks of the price that they leave.
#pragma once

#include "makespan/apps/asian/contract/contract_law.hpp"

namespace makespan::asian {

// A change of rates changes the dividends' present value, and with it the spot that moves and the
// constant that stands in the average for dividends to come. The latter's derivative follows from
// price and delta: a value is homogeneous in spot, strike and past prices together.
//
// `value`: of the contract, in price units, discounted, for its notional, with the Greeks of a
// price without cash dividends; rho and dividend_rho change.
void add_cash_dividends(Contract const& contract, ContractLaw const& law, Outputs& value);

// The same for what these may be off by, all parts taken to be off in one direction.
void add_cash_dividend_errors(Contract const& contract, ContractLaw const& law, Outputs& error);

}  // namespace makespan::asian

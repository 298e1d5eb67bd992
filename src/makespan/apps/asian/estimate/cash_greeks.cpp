// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/estimate/cash_greeks.hpp"

#include <cmath>

namespace makespan::asian {

namespace {

// The derivative of a value to the sum of past prices: constant + by_price · price + by_delta ·
// delta.
struct PastSlope {
  double constant;
  double by_price;
  double by_delta;
};

PastSlope past_slope(Contract const& contract, ContractLaw const& law) {
  double const total = fixings_total(contract);
  if (contract.payoff == Payoff::average_strike) {
    // The value is homogeneous: spot · delta + past sum · slope.
    if (contract.past_sum <= 0) return {};
    return {0, 1 / contract.past_sum, -contract.spot / contract.past_sum};
  }
  // Likewise in spot and the strike that is left, which the past sum lowers by 1 / total.
  double const level = contract.strike - contract.past_sum / total;
  if (level <= 0) {  // a call is exercised, a put is not
    return {contract.side > 0 ? law.discount * contract.notional / total : 0, 0, 0};
  }
  return {0, -1 / (total * level), contract.spot / (total * level)};
}

}  // namespace

void add_cash_dividends(Contract const& contract, ContractLaw const& law, Outputs& value) {
  CashDividends const& dividends = contract.cash_dividends;
  PastSlope const slope = past_slope(contract, law);
  double const by_past =
      slope.constant + slope.by_price * value[price] + slope.by_delta * value[delta];
  // The times are minus derivatives: with more growth dividends are worth less now, which the price
  // that moves gains and the constant of the fixings loses.
  double const growth = value[delta] * dividends.present_time - by_past * dividends.fixings_time;
  value[rho] += law.common.rho_drift * growth;
  value[dividend_rho] -= growth;
}

void add_cash_dividend_errors(Contract const& contract, ContractLaw const& law, Outputs& error) {
  CashDividends const& dividends = contract.cash_dividends;
  PastSlope const slope = past_slope(contract, law);
  double const by_past =
      std::fabs(slope.by_price) * error[price] + std::fabs(slope.by_delta) * error[delta];
  double const growth =
      error[delta] * dividends.present_time + by_past * std::fabs(dividends.fixings_time);
  error[rho] += law.common.rho_drift * growth;
  error[dividend_rho] += growth;
}

}  // namespace makespan::asian

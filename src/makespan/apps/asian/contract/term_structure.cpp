// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/contract/term_structure.hpp"

namespace makespan::asian {

namespace {

// Whether interest is part of the growth: a drift or forwards that were given have it already.
bool grows_with_rate(Contract const& contract) {
  return contract.rate_curve != nullptr && !contract.drift_given;
}

}  // namespace

double payment_time(Contract const& contract) {
  return contract.expiry + contract.payment_lag;
}

double interest(Contract const& contract) {
  double const payment = payment_time(contract);
  return contract.rate_curve != nullptr ? contract.rate_curve->total_at(payment)
                                        : contract.rate * payment;
}

double growth_to(Contract const& contract, double time) {
  if (contract.forward_curve != nullptr) return contract.forward_curve->total_at(time);
  double growth = contract.drift * time;
  if (grows_with_rate(contract)) growth += contract.rate_curve->total_at(time);
  if (contract.yield_curve != nullptr) growth -= contract.yield_curve->total_at(time);
  if (contract.dividends != nullptr) growth += contract.dividends->total_at(time);
  return growth;
}

double log_growth_to(Contract const& contract, double time) {
  if (contract.heston.is_given()) return growth_to(contract, time);
  // One product, not two whose difference would round otherwise: books without curves keep their
  // bits (docs/decisions/0100).
  if (has_constant_growth(contract) && has_constant_volatility(contract)) {
    return (contract.drift - 0.5 * contract.volatility * contract.volatility) * time;
  }
  return growth_to(contract, time) - 0.5 * variance_to(contract, time);
}

double variance_to(Contract const& contract, double time) {
  return contract.volatility_curve != nullptr ? contract.volatility_curve->total_at(time)
                                              : contract.volatility * contract.volatility * time;
}

double volatility_to(Contract const& contract, double time) {
  return contract.volatility_curve != nullptr ? contract.volatility_curve->root_total_at(time)
                                              : contract.volatility * time;
}

double clock_to(Contract const& contract, double time) {
  if (contract.volatility_curve == nullptr) return time;
  return contract.volatility_curve->total_at(time) / (contract.volatility * contract.volatility);
}

double growth_between(Contract const& contract, double from, double to) {
  // The constant's multiple, which a difference of two totals would round otherwise.
  if (has_constant_growth(contract)) return contract.drift * (to - from);
  return growth_to(contract, to) - growth_to(contract, from);
}

double variance_between(Contract const& contract, double from, double to) {
  if (has_constant_volatility(contract)) {
    return contract.volatility * contract.volatility * (to - from);
  }
  return variance_to(contract, to) - variance_to(contract, from);
}

double volatility_between(Contract const& contract, double from, double to) {
  if (has_constant_volatility(contract)) return contract.volatility * (to - from);
  return volatility_to(contract, to) - volatility_to(contract, from);
}

double rate_now(Contract const& contract) {
  return contract.rate_curve != nullptr ? contract.rate_curve->slope_now() : contract.rate;
}

double drift_now(Contract const& contract) {
  if (contract.forward_curve != nullptr) return contract.forward_curve->slope_now();
  // Without proportional dividends, which fall at instants.
  double drift = contract.drift;
  if (grows_with_rate(contract)) drift += contract.rate_curve->slope_now();
  if (contract.yield_curve != nullptr) drift -= contract.yield_curve->slope_now();
  return drift;
}

double volatility_now(Contract const& contract) {
  if (contract.volatility_curve == nullptr) return contract.volatility;
  Curve const& curve = *contract.volatility_curve;
  return curve.root_total.front() / curve.time.front();
}

bool has_constant_growth(Contract const& contract) {
  return !grows_with_rate(contract) && contract.yield_curve == nullptr &&
         contract.forward_curve == nullptr && contract.dividends == nullptr;
}

bool has_constant_volatility(Contract const& contract) {
  return contract.volatility_curve == nullptr;
}

double horizon(Contract const& contract) {
  bool const on_price = contract.payoff == Payoff::average_price;
  return on_price && contract.fixings > 0 ? fixing_time(contract, contract.fixings - 1)
                                          : contract.expiry;
}

}  // namespace makespan::asian

// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/contract/contract.hpp"

#include <cstddef>

#include "makespan/apps/asian/contract/detail/basket.hpp"

namespace makespan::asian {

double fixing_time(Contract const& contract, std::int64_t index) {
  if (!contract.times.empty()) return contract.times[static_cast<std::size_t>(index)];
  // To the bit, since a fixing at the payment is found by comparing with the expiry; and a single
  // fixing would divide by 0 below.
  if (index == contract.fixings - 1) return contract.last_fixing;
  double const share = static_cast<double>(index) / static_cast<double>(contract.fixings - 1);
  return contract.first_fixing + (contract.last_fixing - contract.first_fixing) * share;
}

bool fixes_now(Contract const& contract) {
  return contract.fixings > 0 && fixing_time(contract, 0) == 0;
}

Payoff simulated_payoff(Contract const& contract) {
  return contract.basket == nullptr ? contract.payoff : Payoff::average_price;
}

double fixings_total(Contract const& contract) {
  return static_cast<double>(contract.past_count + contract.fixings);
}

double payoff_level(Contract const& contract) {
  double const past = contract.average == Average::arithmetic
                          ? contract.past_sum / fixings_total(contract) / contract.spot
                          : 0;
  return contract.payoff == Payoff::average_price ? contract.strike / contract.spot - past : past;
}

double share_now(Contract const& contract) {
  if (!fixes_now(contract)) return 0;
  double const share = 1 / fixings_total(contract);
  // A basket's price now is its net value, in units of the gross one, which differ if a weight is
  // negative.
  return contract.basket == nullptr ? share : share * contract.basket->net / contract.basket->gross;
}

}  // namespace makespan::asian

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Contracts that tests start from, and what the engine knows of them before it simulates.

#include <cmath>
#include <vector>

#include "makespan/apps/asian/contract/contract_law.hpp"
#include "makespan/apps/asian/contract/schedule.hpp"
#include "makespan/apps/asian/kernel/kernels.hpp"

namespace makespan::asian {

// A call on the arithmetic average of 12 monthly prices, at the money, nothing past, 4096 paths.
inline Contract monthly_call() {
  Contract contract{};
  contract.key = 0x123456789abcdef0;
  contract.seed = 7;
  contract.side = 1;
  contract.average = Average::arithmetic;
  contract.payoff = Payoff::average_price;
  contract.spot = 100;
  contract.strike = 100;
  contract.multiplier = 1;
  contract.rate = 0.06;
  contract.drift = 0.03;
  contract.volatility = 0.2;
  contract.expiry = 1;
  contract.fixings = 12;
  contract.first_fixing = 1.0 / 12;
  contract.last_fixing = 1;
  contract.notional = 1;
  contract.paths = 4096;
  contract.max_paths = 1 << 20;
  return contract;
}

inline Contract with_start(Contract contract) {
  ++contract.fixings;
  contract.first_fixing = 0;
  return contract;
}

// Two more fixings, at 98 and 103, are past.
inline Contract seasoned(Contract contract) {
  contract.past_count = 2;
  contract.past_sum = 98 + 103;
  contract.past_log_sum = std::log(98) + std::log(103);
  return contract;
}

inline Contract geometric(Contract contract) {
  contract.average = Average::geometric;
  return contract;
}

inline Contract on_strike(Contract contract, double multiplier) {
  contract.payoff = Payoff::average_strike;
  contract.multiplier = multiplier;
  return contract;
}

inline Contract put(Contract contract) {
  contract.side = -1;
  return contract;
}

struct Laid {
  Schedule schedule;
  ContractLaw law;
};

inline Laid laid(Contract const& contract) {
  Laid laid{};
  lay_out(contract, Kernels::named("one_lane").exp_all, laid.schedule);
  laid.law = make_law(contract, laid.schedule);
  return laid;
}

}  // namespace makespan::asian

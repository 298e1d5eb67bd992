// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/contract/schedule.hpp"

#include <algorithm>
#include <cstddef>

#include "makespan/apps/asian/contract/term_structure.hpp"

namespace makespan::asian {

namespace {

bool ends_after_last_fixing(Contract const& contract) {
  if (contract.payoff != Payoff::average_strike) return false;
  return contract.fixings == 0 || fixing_time(contract, contract.fixings - 1) < contract.expiry;
}

}  // namespace

std::int64_t step_count(Contract const& contract) {
  return contract.fixings - (fixes_now(contract) ? 1 : 0) +
         (ends_after_last_fixing(contract) ? 1 : 0);
}

void lay_out(Contract const& contract, ExpAll exp_all, Schedule& schedule) {
  auto const steps = static_cast<std::size_t>(step_count(contract));
  for (auto* values :
       {&schedule.time, &schedule.clock, &schedule.volatility, &schedule.weight, &schedule.forward,
        &schedule.log_weight, &schedule.tail_weight, &schedule.covariance, &schedule.direction}) {
    values->resize(steps);
  }
  double const weight = 1 / fixings_total(contract);
  // A fixing at time 0 is at the spot: ContractLaw's constant, not a step.
  std::int64_t const first = fixes_now(contract) ? 1 : 0;
  double clock = 0;
  for (std::size_t i = 0; i < steps; ++i) {
    auto const fixing = static_cast<std::int64_t>(i) + first;
    bool const fixes = fixing < contract.fixings;
    schedule.time[i] = fixes ? fixing_time(contract, fixing) : contract.expiry;
    schedule.weight[i] = fixes ? weight : 0;
    // Between fixings that are an instant apart a curve may round to a step back.
    schedule.clock[i] = std::max(clock_to(contract, schedule.time[i]), clock);
    clock = schedule.clock[i];
    schedule.volatility[i] = volatility_to(contract, schedule.time[i]);
    schedule.forward[i] = growth_to(contract, schedule.time[i]);
  }
  exp_all(schedule.forward, schedule.forward.data());
}

}  // namespace makespan::asian

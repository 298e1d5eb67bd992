// SPDX-License-Identifier: Apache-2.0
// Contracts that need no simulation, and their prices.
#pragma once

#include <optional>

#include "makespan/apps/asian/contract/contract_law.hpp"
#include "makespan/apps/asian/contract/schedule.hpp"
#include "makespan/apps/asian/estimate/estimator_settings.hpp"

namespace makespan::asian {

// Whether the price is known exactly: all fixings past or now, no volatility, exercise certain, or
// one price left that is random; for the controlled methods also a geometric average (mc_plain
// simulates those).
bool has_exact_price(Contract const& contract, Method method);

// In units of the spot and undiscounted.
struct ExactOutputs {
  Outputs value{};
  Outputs error{};  // beside rounding, at most (HestonControl::error)
};

// That price and its Greeks; std::nullopt if the contract has to be simulated. `law` and `schedule`
// are the contract's own (make_law).
std::optional<ExactOutputs> exact_outputs(Contract const& contract, Method method,
                                          ContractLaw const& law, Schedule const& schedule);

}  // namespace makespan::asian

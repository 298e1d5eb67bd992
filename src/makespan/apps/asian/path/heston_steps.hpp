// SPDX-License-Identifier: Apache-2.0
// A contract's schedule as the steps of a random variance.
#pragma once

#include <vector>

#include "makespan/apps/asian/contract/contract_law.hpp"
#include "makespan/apps/asian/contract/schedule.hpp"
#include "makespan/apps/asian/kernel/heston_plan.hpp"

namespace makespan::asian {

// Steps that a contract with Heston's variance takes: fixings, each gap cut into equal parts of at
// most Contract::step_max.
[[nodiscard]] std::int64_t heston_step_count(Contract const& contract);

// Fills `steps`. The schedule has been laid out, with the weights of the control (make_law).
void lay_heston_steps(Contract const& contract, Schedule const& schedule,
                      std::vector<HestonStep>& steps);

}  // namespace makespan::asian

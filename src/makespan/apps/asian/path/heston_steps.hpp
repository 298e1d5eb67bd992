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

// The plan of a path, over `steps`, which it fills. The schedule has been laid out, with the
// weights of the control (make_law); `growth_now`: CommonTerms::drift.
[[nodiscard]] HestonPlan lay_heston_plan(Contract const& contract, Schedule const& schedule,
                                         double growth_now, std::vector<HestonStep>& steps);

}  // namespace makespan::asian

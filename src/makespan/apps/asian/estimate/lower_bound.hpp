// SPDX-License-Identifier: Apache-2.0
// A lower bound for arithmetic average-price options, exact to a few parts in 10^4 at usual
// volatilities.
#pragma once

#include <vector>

#include "makespan/apps/asian/contract/contract_law.hpp"
#include "makespan/apps/asian/contract/schedule.hpp"
#include "makespan/apps/asian/kernel/kernels.hpp"

namespace makespan::asian {

// The price, in units of the spot and undiscounted, of the average's mean given ln G. For the side
// in law.common. Needs log.deviation > 0 and level > constant. `work`: grown as needed, so that
// nothing is allocated from option to option. Sources: M. Curran, Management Science 40 (1994)
// 1705-1711; L. C. G. Rogers, Z. Shi, J. Applied Probability 32 (1995) 1077-1088.
double lower_bound(ContractLaw const& law, Schedule const& schedule, Kernels const& kernels,
                   std::vector<double>& work);

}  // namespace makespan::asian

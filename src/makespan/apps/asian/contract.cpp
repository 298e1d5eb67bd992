// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/contract.hpp"

#include <cstddef>

namespace makespan::asian {

double fixing_time(Contract const& contract, std::int64_t index) {
  if (!contract.times.empty()) return contract.times[static_cast<std::size_t>(index)];
  if (index == contract.fixings - 1) return contract.last_fixing;
  double const share = static_cast<double>(index) / static_cast<double>(contract.fixings - 1);
  return contract.first_fixing + (contract.last_fixing - contract.first_fixing) * share;
}

}  // namespace makespan::asian

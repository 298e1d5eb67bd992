// SPDX-License-Identifier: Apache-2.0
// The times that the paths of a basket stop at, and what its prices there count for.
#pragma once

#include <vector>

#include "makespan/apps/asian/contract/contract.hpp"

namespace makespan::asian {

// A time at which a step ends, and what a price there counts for in the sum.
struct Instant {
  double time;
  double weight;
  bool has_price;
};

// Of a contract on a basket (basket_law.hpp).
[[nodiscard]] std::vector<Instant> instants_of(Contract const& contract);

// What has no randomness in the sum.
[[nodiscard]] double constant_of(Contract const& contract);

// What the sum is compared with.
[[nodiscard]] double level_of(Contract const& contract);

}  // namespace makespan::asian

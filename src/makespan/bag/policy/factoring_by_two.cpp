// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/policy/factoring_by_two.hpp"

#include <cmath>

#include "makespan/bag/policy/chunk_bounds.hpp"

namespace makespan::bag {

FactoringByTwoPolicy::FactoringByTwoPolicy(PolicyOptions const& given) {
  expect_no_options(name, given);
}

std::int64_t FactoringByTwoPolicy::chunk_at(LoopFacts const& loop, std::int64_t step) const {
  auto const batch = static_cast<double>(step / loop.workers);
  double const share = static_cast<double>(loop.items) / loop.workers;
  return whole_items(share * std::exp2(-(batch + 1.0)), loop.items);
}

}  // namespace makespan::bag

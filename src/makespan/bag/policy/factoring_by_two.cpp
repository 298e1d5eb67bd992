// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/policy/factoring_by_two.hpp"

#include <cmath>

#include "makespan/bag/policy/detail/chunk_bounds.hpp"

namespace makespan::bag {

FactoringByTwoPolicy::FactoringByTwoPolicy(OptionValues const& given) {
  expect_no_options(name, given);
}

std::int64_t FactoringByTwoPolicy::chunk_at(LoopFacts const& loop, std::int64_t step) const {
  std::int64_t const batch = step / loop.workers;  // the whole batches before this claim
  double const share = static_cast<double>(loop.items) / loop.workers;
  return whole_items(share * std::exp2(-static_cast<double>(batch + 1)), loop.items);
}

}  // namespace makespan::bag

// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/policy/static_scheduling.hpp"

#include "makespan/bag/policy/detail/chunk_bounds.hpp"

namespace makespan::bag {

StaticSchedulingPolicy::StaticSchedulingPolicy(OptionValues const& given) {
  expect_no_options(name, given);
}

std::int64_t StaticSchedulingPolicy::chunk_at(LoopFacts const& loop, std::int64_t /*step*/) const {
  return even_share(loop.items, loop.workers);
}

}  // namespace makespan::bag

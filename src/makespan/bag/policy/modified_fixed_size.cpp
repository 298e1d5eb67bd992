// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/policy/modified_fixed_size.hpp"

#include <cmath>
#include <numbers>

#include "makespan/bag/policy/detail/chunk_bounds.hpp"

namespace makespan::bag {

std::int64_t modified_fixed_size(LoopFacts const& loop) {
  std::int64_t const share = even_share(loop.items, loop.workers);
  // ln 1 would divide, and of 2 the formula makes 2.
  if (share <= 2) return share;
  auto const n = static_cast<double>(share);
  return whole_items(std::floor(0.55 + n * std::numbers::ln2 / std::log(n)), share);
}

ModifiedFixedSizePolicy::ModifiedFixedSizePolicy(OptionValues const& given) {
  expect_no_options(name, given);
}

std::int64_t ModifiedFixedSizePolicy::chunk_at(LoopFacts const& loop, std::int64_t /*step*/) const {
  return modified_fixed_size(loop);
}

}  // namespace makespan::bag

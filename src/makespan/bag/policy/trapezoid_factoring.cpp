// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/policy/trapezoid_factoring.hpp"

#include "makespan/bag/policy/detail/chunk_bounds.hpp"

namespace makespan::bag {

std::span<OptionHelp const> TrapezoidFactoringPolicy::option_help() {
  return trapezoid_help();
}

TrapezoidFactoringPolicy::TrapezoidFactoringPolicy(OptionValues const& given)
    : ends_(trapezoid_ends(CheckedOptions(name, trapezoid_help(), given))) {
}

std::int64_t TrapezoidFactoringPolicy::chunk_at(LoopFacts const& loop, std::int64_t step) const {
  std::int64_t const batch_begin = step - step % loop.workers;
  // The mean of a straight line is its middle.
  double const middle = static_cast<double>(batch_begin) + (loop.workers - 1) / 2.0;
  return whole_items(trapezoid_at(ends_, loop, middle), loop.items);
}

}  // namespace makespan::bag

// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/policy/trapezoid.hpp"

#include "makespan/bag/policy/detail/chunk_bounds.hpp"

namespace makespan::bag {

std::span<OptionHelp const> TrapezoidPolicy::option_help() {
  return trapezoid_help();
}

TrapezoidPolicy::TrapezoidPolicy(OptionValues const& given)
    : ends_(trapezoid_ends(CheckedOptions(name, trapezoid_help(), given))) {
}

std::int64_t TrapezoidPolicy::chunk_at(LoopFacts const& loop, std::int64_t step) const {
  return whole_items(trapezoid_at(ends_, loop, static_cast<double>(step)), loop.items);
}

}  // namespace makespan::bag

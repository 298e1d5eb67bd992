// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/policy/variable_increase.hpp"

#include <array>
#include <cmath>

#include "makespan/bag/policy/detail/chunk_bounds.hpp"

namespace makespan::bag {

namespace {

constexpr std::array<OptionHelp, 1> variable_increase_help{{
    {"first_divisor", OptionKind::real, 4.0, 1.0, 1e6,
     "the first chunk is an even share over this"},
}};

}  // namespace

std::span<OptionHelp const> VariableIncreasePolicy::option_help() {
  return variable_increase_help;
}

VariableIncreasePolicy::VariableIncreasePolicy(OptionValues const& given)
    : first_divisor_(CheckedOptions(name, variable_increase_help, given).real("first_divisor")) {
}

std::int64_t VariableIncreasePolicy::chunk_at(LoopFacts const& loop, std::int64_t step) const {
  std::int64_t const batch = step / loop.workers;  // the whole batches before this claim
  double const first = std::ceil(static_cast<double>(loop.items) / (first_divisor_ * loop.workers));
  return whole_items(std::floor(first * (2.0 - std::exp2(-static_cast<double>(batch)))),
                     loop.items);
}

}  // namespace makespan::bag

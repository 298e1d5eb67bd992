// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/policy/fixed_increase.hpp"

#include <array>
#include <cmath>

#include "makespan/bag/policy/detail/chunk_bounds.hpp"

namespace makespan::bag {

namespace {

constexpr std::array<OptionHelp, 1> fixed_increase_help{{
    {"batches", OptionKind::whole, 3.0, 2.0, 1e6, "batches that make up the loop"},
}};

}  // namespace

std::span<OptionHelp const> FixedIncreasePolicy::option_help() {
  return fixed_increase_help;
}

FixedIncreasePolicy::FixedIncreasePolicy(OptionValues const& given)
    : batches_(CheckedOptions(name, fixed_increase_help, given).real("batches")) {
}

std::int64_t FixedIncreasePolicy::chunk_at(LoopFacts const& loop, std::int64_t step) const {
  std::int64_t const batch = step / loop.workers;  // the whole batches before this claim
  double const share = static_cast<double>(loop.items) / loop.workers;
  double const first = share / (batches_ + 2.0);
  double const increase =
      2.0 * share * (1.0 - batches_ / (batches_ + 2.0)) / (batches_ * (batches_ - 1.0));
  return whole_items(std::round(first + static_cast<double>(batch) * increase), loop.items);
}

}  // namespace makespan::bag

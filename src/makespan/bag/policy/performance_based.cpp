// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/policy/performance_based.hpp"

#include <array>
#include <cmath>

#include "makespan/bag/policy/detail/chunk_bounds.hpp"

namespace makespan::bag {

namespace {

constexpr std::array<OptionHelp, 1> performance_based_help{{
    {"static_share", OptionKind::real, 0.5, 0.0, 1.0, "w, the share handed out in even shares"},
}};

}  // namespace

std::span<OptionHelp const> PerformanceBasedPolicy::option_help() {
  return performance_based_help;
}

PerformanceBasedPolicy::PerformanceBasedPolicy(OptionValues const& given)
    : static_share_(CheckedOptions(name, performance_based_help, given).real("static_share")) {
}

std::int64_t PerformanceBasedPolicy::chunk_at(LoopFacts const& loop, std::int64_t step) const {
  auto const workers = static_cast<double>(loop.workers);
  double const share = static_cast<double>(loop.items) / workers;
  if (step < loop.workers) return whole_items(static_share_ * share, loop.items);
  double const left = std::pow((workers - 1.0) / workers, static_cast<double>(step - loop.workers));
  return whole_items(left * (1.0 - static_share_) * share, loop.items);
}

}  // namespace makespan::bag

// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/policy/self_scheduling.hpp"

#include <algorithm>
#include <array>

namespace makespan::bag {

namespace {

constexpr std::array<OptionHelp, 1> self_scheduling_help{{
    {"chunk_items", OptionKind::whole, 1.0, 1.0, 1e9, "items of a chunk, until fewer are left"},
}};

}  // namespace

std::span<OptionHelp const> SelfSchedulingPolicy::option_help() {
  return self_scheduling_help;
}

SelfSchedulingPolicy::SelfSchedulingPolicy(OptionValues const& given)
    : chunk_items_(CheckedOptions(name, self_scheduling_help, given).whole("chunk_items")) {
}

std::int64_t SelfSchedulingPolicy::chunk_at(LoopFacts const& loop, std::int64_t /*step*/) const {
  return std::min(chunk_items_, loop.items);
}

}  // namespace makespan::bag

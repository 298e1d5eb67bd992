// SPDX-License-Identifier: Apache-2.0
#pragma once

// Static scheduling: each worker takes its even share of the loop, ceil(N / P) items, at one claim.

#include <cstdint>
#include <span>
#include <string_view>

#include "makespan/bag/policy/closed_form_policy.hpp"

namespace makespan::bag {

// The fewest claims, and no balancing at all: what every other technique is compared with. Tested
// by tests/bag/policy/static_scheduling_test.cpp.
class StaticSchedulingPolicy final : public ClosedFormPolicy {
 public:
  static constexpr std::string_view name = "static";
  static constexpr std::string_view summary = "an even share of the loop at one claim, ceil(N / P)";
  [[nodiscard]] static std::span<OptionHelp const> option_help() { return {}; }

  explicit StaticSchedulingPolicy(OptionValues const& given);

  [[nodiscard]] std::int64_t chunk_at(LoopFacts const& loop, std::int64_t step) const override;
};

static_assert(RegisteredPolicy<StaticSchedulingPolicy>);

}  // namespace makespan::bag

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Performance-based loop scheduling: a share w of the loop is handed out statically, ceil(w N / P)
// items at each of the first P claims; the rest as in guided self-scheduling,
// ceil(((P - 1) / P)^(i - P) * (1 - w) N / P) at claim i.

#include <cstdint>
#include <span>
#include <string_view>

#include "makespan/bag/policy/closed_form_policy.hpp"

namespace makespan::bag {

// Source: W.-C. Shih, C.-T. Yang and S.-S. Tseng, "A performance-based parallel loop scheduling on
// grid environments", Journal of Supercomputing 41(3), 2007, pages 247-267. Theirs takes for w the
// shortest over the longest time of an item; we let the user say, and give every worker the same
// static part. Tested by tests/bag/policy/performance_based_test.cpp.
class PerformanceBasedPolicy final : public ClosedFormPolicy {
 public:
  static constexpr std::string_view name = "pls";
  static constexpr std::string_view summary =
      "a part of the loop in even shares, the rest as guided";
  [[nodiscard]] static std::span<OptionHelp const> option_help();

  explicit PerformanceBasedPolicy(OptionValues const& given);

  [[nodiscard]] std::int64_t chunk_at(LoopFacts const& loop, std::int64_t step) const override;

 private:
  double static_share_;
};

static_assert(RegisteredPolicy<PerformanceBasedPolicy>);

}  // namespace makespan::bag

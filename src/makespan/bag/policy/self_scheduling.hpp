// SPDX-License-Identifier: Apache-2.0
#pragma once

// Self-scheduling: a fixed count of items at each claim, one unless the user says otherwise.

#include <cstdint>
#include <span>
#include <string_view>

#include "makespan/bag/policy/closed_form_policy.hpp"

namespace makespan::bag {

// The best balance and the most claims. With `chunk_items` above 1 it is fixed-size chunking.
// Source: P. Tang and P.-C. Yew, International Conference on Parallel Processing, 1986, pages
// 528-535; fixed-size chunks: C. P. Kruskal and A. Weiss, IEEE Transactions on Software Engineering
// SE-11(10), 1985, pages 1001-1016. Tested by tests/bag/policy/self_scheduling_test.cpp.
class SelfSchedulingPolicy final : public ClosedFormPolicy {
 public:
  static constexpr std::string_view name = "self";
  static constexpr std::string_view summary =
      "a fixed count of items at each claim, one by default";
  [[nodiscard]] static std::span<OptionHelp const> option_help();

  explicit SelfSchedulingPolicy(OptionValues const& given);

  [[nodiscard]] std::int64_t chunk_at(LoopFacts const& loop, std::int64_t step) const override;

 private:
  std::int64_t chunk_items_;
};

static_assert(RegisteredPolicy<SelfSchedulingPolicy>);

}  // namespace makespan::bag

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Modified fixed-size chunking: one size for the whole loop, such that there are about as many
// chunks as factoring makes: 0.55 + n * ln 2 / ln n with n = ceil(N / P), rounded down.

#include <cstdint>
#include <span>
#include <string_view>

#include "makespan/bag/policy/closed_form_policy.hpp"

namespace makespan::bag {

// The size, for `fixed` too, while that does not know enough.
[[nodiscard]] std::int64_t modified_fixed_size(LoopFacts const& loop);

// Fixed-size chunks without knowing what a claim costs or how item times spread. Source: I.
// Banicescu, F. M. Ciorba and S. Srivastava, chapter "Performance optimization of scientific
// applications using an autonomic computing approach" of "Scalable Computing: Theory and Practice",
// Wiley 2013, pages 437-466; 0.55 makes of the rounding down one to nearest. Tested by
// tests/bag/policy/modified_fixed_size_test.cpp.
class ModifiedFixedSizePolicy final : public ClosedFormPolicy {
 public:
  static constexpr std::string_view name = "mfsc";
  static constexpr std::string_view summary =
      "one size for the whole loop, about as many chunks as factoring";
  [[nodiscard]] static std::span<OptionHelp const> option_help() { return {}; }

  explicit ModifiedFixedSizePolicy(OptionValues const& given);

  [[nodiscard]] std::int64_t chunk_at(LoopFacts const& loop, std::int64_t step) const override;
};

static_assert(RegisteredPolicy<ModifiedFixedSizePolicy>);

}  // namespace makespan::bag

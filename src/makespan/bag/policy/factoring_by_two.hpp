// SPDX-License-Identifier: Apache-2.0
#pragma once

// Factoring by two: each batch of P equal chunks takes half of what is left,
// ceil(N / P / 2^(b + 1)) items in batch b.

#include <cstdint>
#include <span>
#include <string_view>

#include "makespan/bag/policy/closed_form_policy.hpp"

namespace makespan::bag {

// Factoring as it is used when nothing is known of item times. Source: S. Flynn Hummel, E.
// Schonberg and L. E. Flynn, Communications of the ACM 35(8), 1992, pages 90-101,
// https://doi.org/10.1145/135226.135232. We deviate: halves are those of the loop, not of what
// rounding has left, so that the chunk follows from the number of the claim; it is at most one item
// larger. Tested by tests/bag/policy/factoring_by_two_test.cpp.
class FactoringByTwoPolicy final : public ClosedFormPolicy {
 public:
  static constexpr std::string_view name = "fac2";
  static constexpr std::string_view summary =
      "batches of equal chunks, each batch half of what is left";
  [[nodiscard]] static std::span<OptionHelp const> option_help() { return {}; }

  explicit FactoringByTwoPolicy(OptionValues const& given);

  [[nodiscard]] std::int64_t chunk_at(LoopFacts const& loop, std::int64_t step) const override;
};

static_assert(RegisteredPolicy<FactoringByTwoPolicy>);

}  // namespace makespan::bag

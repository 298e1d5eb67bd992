// SPDX-License-Identifier: Apache-2.0
#pragma once

// Trapezoid self-scheduling: chunks fall in a straight line from F to L items,
//
//     F - i * (F - L) / (S - 1) at claim i, rounded up, in S = ceil(2 N / (F + L)) claims.

#include <cstdint>
#include <span>
#include <string_view>

#include "makespan/bag/policy/closed_form_policy.hpp"
#include "makespan/bag/policy/detail/trapezoid_line.hpp"

namespace makespan::bag {

// Source: T. H. Tzen and L. M. Ni, IEEE Transactions on Parallel and Distributed Systems 4(1),
// 1993, pages 87-98, https://doi.org/10.1109/71.205655; F = ceil(N / (2 P)) and L = 1 are theirs.
// We deviate: the step between two chunks stays a real number, since rounded down it is 0 when
// there are many workers, and chunks never shrink. Tested by tests/bag/policy/trapezoid_test.cpp.
class TrapezoidPolicy final : public ClosedFormPolicy {
 public:
  static constexpr std::string_view name = "trapezoid";
  static constexpr std::string_view summary =
      "falls in a straight line from an even half share to one item";
  [[nodiscard]] static std::span<OptionHelp const> option_help();

  explicit TrapezoidPolicy(OptionValues const& given);

  [[nodiscard]] std::int64_t chunk_at(LoopFacts const& loop, std::int64_t step) const override;

 private:
  TrapezoidEnds ends_;
};

static_assert(RegisteredPolicy<TrapezoidPolicy>);

}  // namespace makespan::bag

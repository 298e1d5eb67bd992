// SPDX-License-Identifier: Apache-2.0
#pragma once

// Trapezoid factoring self-scheduling: chunks fall in a straight line as in `trapezoid`, in batches
// of P equal ones. Each is the mean of the P that `trapezoid` would make, rounded up.

#include <cstdint>
#include <span>
#include <string_view>

#include "makespan/bag/policy/closed_form_policy.hpp"
#include "makespan/bag/policy/detail/trapezoid_line.hpp"

namespace makespan::bag {

// Source: A. T. Chronopoulos, R. Andonie, M. Benche and D. Grosu, "A class of loop self-scheduling
// for heterogeneous clusters", IEEE Cluster 2001, pages 282-291,
// https://doi.org/10.1109/CLUSTR.2001.959989. The step of the line is a real number, as in
// trapezoid.hpp. Tested by tests/bag/policy/trapezoid_factoring_test.cpp.
class TrapezoidFactoringPolicy final : public ClosedFormPolicy {
 public:
  static constexpr std::string_view name = "tfss";
  static constexpr std::string_view summary = "as trapezoid, in batches of equal chunks";
  [[nodiscard]] static std::span<OptionHelp const> option_help();

  explicit TrapezoidFactoringPolicy(OptionValues const& given);

  [[nodiscard]] std::int64_t chunk_at(LoopFacts const& loop, std::int64_t step) const override;

 private:
  TrapezoidEnds ends_;
};

static_assert(RegisteredPolicy<TrapezoidFactoringPolicy>);

}  // namespace makespan::bag

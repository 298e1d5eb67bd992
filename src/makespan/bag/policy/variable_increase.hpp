// SPDX-License-Identifier: Apache-2.0
#pragma once

// Variable increase self-scheduling: chunks grow from batch to batch of P claims by half as much
// each time, floor(K0 * (2 - 2^-b)) items in batch b with K0 = ceil(N / (X P)).

#include <cstdint>
#include <span>
#include <string_view>

#include "makespan/bag/policy/closed_form_policy.hpp"

namespace makespan::bag {

// Source: T. Philip and C. R. Das, "Evaluation of loop scheduling algorithms on distributed memory
// systems", Parallel and Distributed Computing and Systems 1997. Tested by
// tests/bag/policy/variable_increase_test.cpp.
class VariableIncreasePolicy final : public ClosedFormPolicy {
 public:
  static constexpr std::string_view name = "viss";
  static constexpr std::string_view summary =
      "chunks grow from batch to batch, by half as much each time";
  [[nodiscard]] static std::span<OptionHelp const> option_help();

  explicit VariableIncreasePolicy(OptionValues const& given);

  [[nodiscard]] std::int64_t chunk_at(LoopFacts const& loop, std::int64_t step) const override;

 private:
  double first_divisor_;
};

static_assert(RegisteredPolicy<VariableIncreasePolicy>);

}  // namespace makespan::bag

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Fixed increase self-scheduling: chunks grow by the same amount from batch to batch of P claims,
//
//     N / (P (B + 2)) + b * 2 N (1 - B / (B + 2)) / (P B (B - 1)) items in batch b,
//
// to the nearest item, so that B batches make up the loop.

#include <cstdint>
#include <span>
#include <string_view>

#include "makespan/bag/policy/closed_form_policy.hpp"

namespace makespan::bag {

// Few claims while workers may still be starting, at the price of large chunks at the end. Source:
// T. Philip and C. R. Das, "Evaluation of loop scheduling algorithms on distributed memory
// systems", Parallel and Distributed Computing and Systems 1997. We deviate: the increase stays a
// real number. Tested by tests/bag/policy/fixed_increase_test.cpp.
class FixedIncreasePolicy final : public ClosedFormPolicy {
 public:
  static constexpr std::string_view name = "fiss";
  static constexpr std::string_view summary = "chunks grow by the same amount from batch to batch";
  [[nodiscard]] static std::span<OptionHelp const> option_help();

  explicit FixedIncreasePolicy(OptionValues const& given);

  [[nodiscard]] std::int64_t chunk_at(LoopFacts const& loop, std::int64_t step) const override;

 private:
  double batches_;
};

static_assert(RegisteredPolicy<FixedIncreasePolicy>);

}  // namespace makespan::bag

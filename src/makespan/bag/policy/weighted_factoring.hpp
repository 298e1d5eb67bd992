// SPDX-License-Identifier: Apache-2.0
#pragma once

// Weighted factoring: factoring by two, with each chunk as large as its worker is fast,
//
//     w * R / (2 P) of work, R what is left at the begin of a batch of P claims,
//
// where w is the worker's speed over the mean speed.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "makespan/bag/policy/chunk_policy.hpp"
#include "makespan/bag/policy/detail/factoring_batch.hpp"

namespace makespan::bag {

// Weights stay fixed in a loop: each worker's is that of its first claim, 1 when its speed is not
// known then. Source: S. Flynn Hummel, J. Schmidt, R. N. Uma and J. Wein, "Load-sharing in
// heterogeneous systems via weighted factoring", SPAA 1996, pages 318-328,
// https://doi.org/10.1145/237502.237576; there a user gives the weights. Tested by
// tests/bag/policy/weighted_factoring_test.cpp.
class WeightedFactoringPolicy final : public ChunkPolicy {
 public:
  static constexpr std::string_view name = "wf";
  static constexpr std::string_view summary =
      "factoring by two, weighted by the speeds known before the loop";
  [[nodiscard]] static std::span<OptionHelp const> option_help() { return {}; }

  explicit WeightedFactoringPolicy(OptionValues const& given);

  [[nodiscard]] ChunkSize next_chunk(ChunkRequest const& request) override;

 private:
  FactoringBatch batch_;
  std::vector<double> weights_;  // by worker; 0 before its first claim
};

static_assert(RegisteredPolicy<WeightedFactoringPolicy>);

}  // namespace makespan::bag

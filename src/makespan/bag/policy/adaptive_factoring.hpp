// SPDX-License-Identifier: Apache-2.0
#pragma once

// Adaptive factoring: factoring for workers of different speeds and spreads, measured as the loop
// goes on. With mu and sigma mean and standard deviation of the time of one item by worker,
//
//     D = sum of sigma^2 / mu,   T = 1 / (sum of 1 / mu)   over all workers,
//     (D + 2 T R - sqrt(D^2 + 4 D T R)) / (2 mu) items,
//
// an item being one of average predicted cost.

#include <cstdint>
#include <span>
#include <string_view>

#include "makespan/bag/policy/chunk_policy.hpp"
#include "makespan/bag/policy/detail/item_times.hpp"

namespace makespan::bag {

// Source: I. Banicescu and Z. Liu, "Adaptive factoring: a dynamic scheduling method tuned to the
// rate of weight changes", High Performance Computing Symposium 2000, pages 122-129. We deviate in
// three points. A worker first runs some small chunks, since one tells nothing of sigma. A chunk is
// at most a share of T R / mu, which without spread is all that is left: eight equal workers with
// noisy means lost 14 % without such a limit. A worker still learning counts in D and T as the
// fastest of the others. Tested by tests/bag/policy/adaptive_factoring_test.cpp.
class AdaptiveFactoringPolicy final : public ChunkPolicy {
 public:
  static constexpr std::string_view name = "af";
  static constexpr std::string_view summary =
      "factoring by the measured mean and spread of each worker's item times";
  [[nodiscard]] static std::span<OptionHelp const> option_help();

  explicit AdaptiveFactoringPolicy(OptionValues const& given);

  [[nodiscard]] ChunkSize next_chunk(ChunkRequest const& request) override;
  void chunk_finished(ChunkReport const& report) override { times_.record(report); }

 private:
  explicit AdaptiveFactoringPolicy(CheckedOptions const& options);

  [[nodiscard]] bool has_learned(TimePerItem const& worker) const;
  [[nodiscard]] double items(ChunkRequest const& request) const;

  ItemTimes times_;
  std::int64_t learning_chunks_;
  double learning_share_;
  double share_max_;
};

static_assert(RegisteredPolicy<AdaptiveFactoringPolicy>);

}  // namespace makespan::bag

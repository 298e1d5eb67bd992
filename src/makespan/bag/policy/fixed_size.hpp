// SPDX-License-Identifier: Apache-2.0
#pragma once

// Fixed-size chunking: one size for the whole loop, from what a claim costs and how item times
// spread,
//
//     [sqrt(2) * N * h / (sigma * P * sqrt(ln P))]^(2/3) items, rounded up,
//
// with h the cost of a claim and sigma the standard deviation of the time of one item.

#include <span>
#include <string_view>

#include "makespan/bag/policy/chunk_policy.hpp"
#include "makespan/bag/policy/detail/item_times.hpp"

namespace makespan::bag {

// Minimises the expected end for equal workers and independent item times. Source: C. P. Kruskal
// and A. Weiss, IEEE Transactions on Software Engineering SE-11(10), 1985, pages 1001-1016,
// https://doi.org/10.1109/TSE.1985.231547. We deviate: never more than an even share, which is also
// the size for one worker; and where sigma is 0 or not known yet, the size of `mfsc`. Tested by
// tests/bag/policy/fixed_size_test.cpp.
class FixedSizePolicy final : public ChunkPolicy {
 public:
  static constexpr std::string_view name = "fixed";
  static constexpr std::string_view summary =
      "one size for the whole loop, from the cost of a claim and the spread of item times";
  [[nodiscard]] static std::span<OptionHelp const> option_help();

  explicit FixedSizePolicy(OptionValues const& given);

  [[nodiscard]] ChunkSize next_chunk(ChunkRequest const& request) override;
  void chunk_finished(ChunkReport const& report) override { times_.record(report); }

 private:
  explicit FixedSizePolicy(CheckedOptions const& options);

  ItemTimes times_;
  Seconds claim_given_;  // 0: as the worker measures it
};

static_assert(RegisteredPolicy<FixedSizePolicy>);

}  // namespace makespan::bag

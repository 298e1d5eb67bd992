// SPDX-License-Identifier: Apache-2.0
#pragma once

// Factoring: batches of P equal chunks, each batch as large a part of what is left as the spread of
// item times allows,
//
//     ceil(R / (x P)) items, with b = P * s / (2 sqrt R),
//     x = 1 + b^2 + b sqrt(b^2 + 2) in the first batch, x = 2 + b^2 + b sqrt(b^2 + 4) later,
//
// where R is left at the batch's begin and s is the standard deviation of an item's time over its
// mean.

#include <cstdint>
#include <span>
#include <string_view>

#include "makespan/bag/policy/chunk_policy.hpp"
#include "makespan/bag/policy/detail/item_times.hpp"

namespace makespan::bag {

// A batch then ends, with high probability, before it would hold the end up. Source: S. Flynn
// Hummel, E. Schonberg and L. E. Flynn, Communications of the ACM 35(8), 1992, pages 90-101,
// https://doi.org/10.1145/135226.135232. We deviate: while no spread is known, x = 2, since x = 1
// would hand out all at once on no evidence. Tested by tests/bag/policy/factoring_test.cpp.
class FactoringPolicy final : public ChunkPolicy {
 public:
  static constexpr std::string_view name = "factoring";
  static constexpr std::string_view summary =
      "batches of equal chunks, as large as the spread of item times allows";
  [[nodiscard]] static std::span<OptionHelp const> option_help();

  explicit FactoringPolicy(OptionValues const& given);

  [[nodiscard]] ChunkSize next_chunk(ChunkRequest const& request) override;
  void chunk_finished(ChunkReport const& report) override { times_.record(report); }

 private:
  ItemTimes times_;
  std::int64_t chunk_items_{1};  // of the present batch
};

static_assert(RegisteredPolicy<FactoringPolicy>);

}  // namespace makespan::bag

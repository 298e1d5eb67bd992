// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tapering: guided self-scheduling with chunks cut by the spread of item times,
//
//     ceil(x + v^2 / 2 - v sqrt(2 x + v^2 / 4)) items, with x = R / P and v = alpha * s,
//
// where s is the standard deviation of an item's time over its mean.

#include <cstdint>
#include <span>
#include <string_view>

#include "makespan/bag/policy/chunk_policy.hpp"
#include "makespan/bag/policy/detail/item_times.hpp"

namespace makespan::bag {

// Without spread it is `guided`. Source: S. Lucco, "A dynamic scheduling method for irregular
// parallel programs", PLDI 1992, pages 200-211, https://doi.org/10.1145/143095.143134; alpha = 1.3
// is the paper's. Tested by tests/bag/policy/taper_test.cpp.
class TaperPolicy final : public ChunkPolicy {
 public:
  static constexpr std::string_view name = "taper";
  static constexpr std::string_view summary =
      "as guided, with chunks cut by the spread of item times";
  [[nodiscard]] static std::span<OptionHelp const> option_help();

  explicit TaperPolicy(OptionValues const& given);

  [[nodiscard]] ChunkSize next_chunk(ChunkRequest const& request) override;
  void chunk_finished(ChunkReport const& report) override { times_.record(report); }

 private:
  explicit TaperPolicy(CheckedOptions const& options);

  ItemTimes times_;
  double alpha_;
  std::int64_t chunk_items_min_;
};

static_assert(RegisteredPolicy<TaperPolicy>);

}  // namespace makespan::bag

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Guided self-scheduling: each claim takes its even share of what is left, ceil(R / P) items for P
// workers.

#include <cstdint>
#include <span>
#include <string_view>

#include "makespan/bag/policy/memoryless_policy.hpp"

namespace makespan::bag {

// Made for equal workers that start at different moments: a slow worker that takes an early chunk
// holds the end up. Source: C. D. Polychronopoulos and D. J. Kuck, IEEE Transactions on Computers
// C-36(12), 1987, pages 1425-1439, https://doi.org/10.1109/TC.1987.5009495. `chunk_items_min` is
// the paper's GSS(k). Tested by tests/bag/policy/guided_test.cpp.
class GuidedPolicy final : public MemorylessPolicy {
 public:
  static constexpr std::string_view name = "guided";
  static constexpr std::string_view summary =
      "an even share of the items left, ceil(R / P), blind to speed";
  [[nodiscard]] static std::span<OptionHelp const> option_help();

  explicit GuidedPolicy(OptionValues const& given);

  [[nodiscard]] ChunkSize chunk_for(ChunkRequest const& request) const override;

 private:
  std::int64_t chunk_items_min_;
};

static_assert(RegisteredPolicy<GuidedPolicy>);

}  // namespace makespan::bag

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The straight line that chunks follow in trapezoid self-scheduling.

#include <cstdint>
#include <span>

#include "makespan/bag/policy/chunk_policy.hpp"
#include "makespan/base/option_values.hpp"

namespace makespan::bag {

// The first and last chunk, as options.
struct TrapezoidEnds {
  std::int64_t first_items{};  // 0: half an even share
  std::int64_t last_items{1};
};

[[nodiscard]] std::span<OptionHelp const> trapezoid_help();
[[nodiscard]] TrapezoidEnds trapezoid_ends(CheckedOptions const& options);

// Items at a place of the line, 0 at the first claim, as a real number; never below the last chunk.
[[nodiscard]] double trapezoid_at(TrapezoidEnds const& ends, LoopFacts const& loop, double place);

}  // namespace makespan::bag

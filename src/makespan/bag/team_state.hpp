// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a team keeps between runs, and a run works on.

#include <cstddef>
#include <memory>
#include <vector>

#include "makespan/bag/policy/chunk_policy.hpp"
#include "makespan/bag/protocol/speed_table.hpp"
#include "makespan/base/quantity.hpp"

namespace makespan::bag {

struct TeamState {
  std::unique_ptr<ChunkPolicy> policy;
  SpeedTable speeds;
  std::vector<Seconds> claim_costs;  // by worker, and that worker's alone during a run
  std::vector<bool> failed;          // by device
  std::vector<bool> lost{};          // by thread: left behind in an earlier run; empty: none

  [[nodiscard]] bool is_lost(int thread) const {
    return !lost.empty() && lost[static_cast<std::size_t>(thread)];
  }
};

}  // namespace makespan::bag

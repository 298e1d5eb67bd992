// SPDX-License-Identifier: Apache-2.0
#pragma once

// The one call of Scotch that is used, without its headers.

#include <cstdint>
#include <span>
#include <vector>

#include "makespan/graph/partition/partitioner_input.hpp"

namespace makespan::graph {

// Whether this build has Scotch; without it the call throws NotConfigured.
[[nodiscard]] bool has_scotch();

struct ScotchTask {
  PartitionerInput graph;
  std::vector<std::int32_t> shares;  // by place
  double imbalance;
  std::int32_t seed;
};

constexpr std::int32_t scotch_is_to_choose = -1;

// Gives a place to each vertex whose place is scotch_is_to_choose. Callable from any thread: Scotch
// draws from a sequence of the call's own. Throws std::runtime_error if Scotch fails, which is by
// memory alone. Tested by tests/graph/balancer/partitioners_test.cpp.
void scotch_map(ScotchTask const& task, std::span<std::int32_t> place);

}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is known of objects before they run.

#include <cstdint>
#include <vector>

namespace makespan::graph {

struct BalancedObjects {
  std::vector<bool> is_fixed{};       // by object: the balancer may not move it
  std::vector<std::int32_t> group{};  // by object: those of a collection; empty: all of one
};

}  // namespace makespan::graph

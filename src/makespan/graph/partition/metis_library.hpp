// SPDX-License-Identifier: Apache-2.0
#pragma once

// The one call of METIS that is used, without its headers.

#include <cstdint>
#include <vector>

#include "makespan/graph/partition/partitioner_input.hpp"

namespace makespan::graph {

// Whether this build has METIS; without it the call throws NotConfigured.
[[nodiscard]] bool has_metis();

struct MetisTask {
  PartitionerInput graph;      // of at least one vertex
  std::vector<double> shares;  // by part, above 0; their sum is 1
  double imbalance;
  std::int32_t seed;
};

// The part of each vertex. What METIS prints goes nowhere (docs/decisions/0139). Callable from one
// thread at a time: see metis.hpp. Throws std::runtime_error if METIS fails, which is by memory
// alone. Tested by tests/graph/balancer/partitioners_test.cpp.
[[nodiscard]] std::vector<std::int32_t> metis_parts(MetisTask const& task);

}  // namespace makespan::graph

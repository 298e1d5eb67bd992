// SPDX-License-Identifier: Apache-2.0
// For builds without Scotch.
#include "makespan/base/error.hpp"
#include "makespan/graph/partition/scotch_library.hpp"

namespace makespan::graph {

bool has_scotch() {
  return false;
}

void scotch_map(ScotchTask const& /*task*/, std::span<std::int32_t> /*place*/) {
  not_configured("Scotch");
}

}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
// For builds without Scotch.
#include "makespan/base/error.hpp"
#include "makespan/graph/partition/scotch_library.hpp"

namespace makespan::graph {

void expect_scotch() {
  not_configured("Scotch");
}

void scotch_map(ScotchTask const& /*task*/, std::span<std::int32_t> /*place*/) {
  expect_scotch();
}

}  // namespace makespan::graph

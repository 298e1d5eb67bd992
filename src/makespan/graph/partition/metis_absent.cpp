// SPDX-License-Identifier: Apache-2.0
// For builds without METIS.
#include "makespan/base/error.hpp"
#include "makespan/graph/partition/metis_library.hpp"

namespace makespan::graph {

void expect_metis() {
  not_configured("METIS");
}

std::vector<std::int32_t> metis_parts(MetisTask const& /*task*/) {
  expect_metis();
  return {};
}

}  // namespace makespan::graph

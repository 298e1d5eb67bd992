// SPDX-License-Identifier: Apache-2.0
// For builds without METIS.
#include "makespan/base/error.hpp"
#include "makespan/graph/partition/metis_library.hpp"

namespace makespan::graph {

bool has_metis() {
  return false;
}

std::vector<std::int32_t> metis_parts(MetisTask const& /*task*/) {
  not_configured("METIS");
}

}  // namespace makespan::graph

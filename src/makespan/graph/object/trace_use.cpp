// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/trace_use.hpp"

#include <cstdlib>

namespace makespan::graph {

TraceUse asked_trace(TraceUse use) {
  char const* const variable = std::getenv("MAKESPAN_TRACE");
  if (use.file.empty() && variable != nullptr) use.file = variable;
  if (use.file == "none") use.file.clear();
  return use;
}

}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/phase_log.hpp"

#include <utility>

namespace makespan::graph {

ObjectProgram PhaseLog::watching(ObjectProgram program) {
  program.after = [this, after = std::move(program.after)](PhaseReport const& report) {
    reports_.push_back(report);
    return after ? after(report) : Next::go_on;
  };
  return program;
}

}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/phase_log.hpp"

#include <utility>

#include "makespan/graph/object/object_place.hpp"

namespace makespan::graph {

// Place 0 begins phases and is asked after them in one thread: no lock is needed.
ObjectProgram PhaseLog::watching(ObjectProgram program) {
  program.begin = [this, begin = std::move(program.begin)](ObjectPlace& here, std::int64_t phase) {
    if (here.place() == 0 && begin_ == Clock::time_point{}) begin_ = Clock::now();
    if (begin) begin(here, phase);
  };
  program.after = [this, after = std::move(program.after)](PhaseReport const& report) {
    total_s_ = std::chrono::duration<double>(Clock::now() - begin_).count();
    reports_.push_back(report);
    return after ? after(report) : Next::go_on;
  };
  return program;
}

}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the phases of a run were, and how long they took in all.

#include <cstdint>
#include <vector>

#include "makespan/graph/object/machine_use.hpp"
#include "makespan/graph/object/object_program.hpp"

namespace makespan::graph {

// What came of a run besides what its objects say: a log of it, and the machine.
struct RunFacts {
  std::vector<PhaseReport> reports{};  // by phase; on image 0, empty on others
  double total_s{0.0};                 // PhaseLog::total_s(); on image 0, else 0
  MachineFacts machine{};              // the same on all images
};

// On image 0; on others it stays empty. Outlives the run, which refers to it. Tested by
// tests/graph/object/phase_log_test.cpp.
class PhaseLog {
 public:
  PhaseLog() = default;
  PhaseLog(PhaseLog const&) = delete;
  PhaseLog& operator=(PhaseLog const&) = delete;

  // The same program, whose phases are written down here.
  [[nodiscard]] ObjectProgram watching(ObjectProgram program);

  [[nodiscard]] std::vector<PhaseReport> const& reports() const { return reports_; }  // by phase
  // From the beginning of the first phase to the end of the last, with all that is between phases
  // [s].
  [[nodiscard]] double total_s() const {
    return reports_.empty() ? 0.0 : reports_.back().elapsed_s;
  }

 private:
  std::vector<PhaseReport> reports_{};
};

}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Keeps MPI running between the jobs of one process: it can be begun and ended once only.

#include <memory>

#include "makespan/pgas/job/job_options.hpp"

namespace makespan::pgas {

class MpiHold;

// For programs that open one runtime after the other and are not written around run_job() (a Python
// session). In a process that no launcher has started it does nothing. Tested by
// tests/pgas/job/run_job/held_finalize_program.cpp, and through tests/python/test_map.py, as
// several images.
class ProcessHold {
 public:
  // Begins MPI if it is not running. Throws as Runtime's constructor. Of the options, those of the
  // end count: MPI_Finalize has its limit from when all images have come to finish_all().
  explicit ProcessHold(JobOptions const& options = {});
  ProcessHold(ProcessHold const&) = delete;
  ProcessHold& operator=(ProcessHold const&) = delete;
  ~ProcessHold();

  // Collective: ends MPI, if it was begun here, or leaves it running if that would not come back:
  // then exit_without_finalize() must follow. No runtime may be open.
  void finish_all();

 private:
  std::unique_ptr<MpiHold> hold_;  // null where there is no MPI to hold
};

}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
#pragma once

// A limit for MPI_Finalize, which has none: connections that are broken keep it waiting.

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

#include "makespan/base/quantity.hpp"

namespace makespan::pgas {

// While it lives the process may take so long; then it ends, alone, with a sentence and
// EXIT_FAILURE: all that the job had to do is done by then. Tested by
// tests/pgas/job/run_job/stuck_finalize_program.cpp.
class FinalizeWatch {
 public:
  explicit FinalizeWatch(Seconds limit);

 private:
  std::mutex mutex_{};
  std::condition_variable_any never_{};
  std::jthread thread_;
};

}  // namespace makespan::pgas

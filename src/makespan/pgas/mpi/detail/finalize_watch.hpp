// SPDX-License-Identifier: Apache-2.0
#pragma once

// A limit for MPI_Finalize and for the last meetings before it, which have none: connections that
// are broken, or an image that dies at the very end, keep them waiting.

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string_view>
#include <thread>

#include "makespan/base/quantity.hpp"

namespace makespan::pgas {

// While it lives the process may take so long; then it ends, alone, with a sentence and
// EXIT_FAILURE: all that the job had to do is done by then. Tested by
// tests/pgas/job/run_job/stuck_finalize_program.cpp and stuck_barrier_program.cpp there.
class FinalizeWatch {
 public:
  // `what` is what may not come back; a literal.
  explicit FinalizeWatch(Seconds limit, std::string_view what = "MPI_Finalize");

 private:
  std::mutex mutex_{};
  std::condition_variable_any never_{};
  std::jthread thread_;
};

}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The job of tests whose images talk by UCX alone for a while.

#include <memory>

#include "makespan/pgas/job/open_job.hpp"

namespace makespan::pgas {

// Its heartbeats are there for MPI, which may have a message of the last barrier still to send, and
// does so when it is called next. Images are never silent for long enough to be lost: a test
// machine may have many images on few cores.
[[nodiscard]] inline std::unique_ptr<Job> open_test_job_all() {
  return open_job_all({.beat_period = Seconds{0.05}, .silence_limit = Seconds{60.0}});
}

}  // namespace makespan::pgas

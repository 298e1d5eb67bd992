// SPDX-License-Identifier: Apache-2.0
#pragma once

// The one way into a job.

#include <memory>

#include "makespan/pgas/job/job.hpp"
#include "makespan/pgas/job/job_options.hpp"

namespace makespan::pgas {

// The job that this process was launched into, or a job of one image if no launcher has started it:
// then MPI is never called. MPI that is running already is used, and left running by finish_all().
//
// Collective over the processes of the job · Blocks until all of them call it · Callable from the
// main thread · Allocates.
//
// Throws InputError where what was launched is not what this program can join: it has no MPI
// (mpi_provider.hpp), or another than the launcher's, or MPI cannot be called from several threads.
// MpiError where MPI fails.
[[nodiscard]] std::unique_ptr<Job> open_job_all(JobOptions const& options = {});

}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The one way into a job.

#include <memory>
#include <string>

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
// MpiError where MPI fails. ImageFailed where an earlier job of this process has lost an image.
[[nodiscard]] std::unique_ptr<Job> open_job_all(JobOptions const& options = {});

// An image that a job of this process has lost, and with it any further job, as open_job_all()
// would say it; empty if there is none. All images that are left know it when that job has ended.
// Callable from any thread.
[[nodiscard]] std::string loss_in_earlier_job();

}  // namespace makespan::pgas

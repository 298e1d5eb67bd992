// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/job/open_job.hpp"

#include <cstdlib>
#include <string>

#include "makespan/base/error.hpp"
#include "makespan/pgas/job/detail/single_job.hpp"
#include "makespan/pgas/job/launch.hpp"
#include "makespan/pgas/job/mpi_provider.hpp"

namespace makespan::pgas {

std::unique_ptr<Job> open_job_all(JobOptions const& options) {
  Launch const launch = detect_launch([](char const* name) { return std::getenv(name); });
  MpiBackend* const mpi = mpi_for(launch);
  // Other code in this process may have started MPI without a launcher: then it is a job of MPI.
  if (mpi != nullptr && (launch.is_launched() || mpi->is_running())) {
    return mpi->open_job_all(launch, options);
  }
  if (mpi == nullptr && launch.is_launched() && launch.size.value_or(2) > 1) {
    throw InputError("launched by " + launch.launcher,
                     "this build of makespan has no MPI, and would run as so many jobs of one",
                     "build with MAKESPAN_WITH_MPI=ON, or start it without the launcher");
  }
  return std::make_unique<SingleJob>();
}

std::string loss_in_earlier_job() {
  MpiBackend const* const mpi = mpi_in_use();
  return mpi == nullptr ? "" : mpi->loss();
}

}  // namespace makespan::pgas

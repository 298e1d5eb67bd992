// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/job/open_job.hpp"

#include <cstdlib>
#include <string>

#include "makespan/base/error.hpp"
#include "makespan/pgas/job/launch.hpp"
#include "makespan/pgas/job/single_job.hpp"
#ifdef MAKESPAN_HAVE_MPI
#include "makespan/pgas/job/mpi_job.hpp"
#include "makespan/pgas/job/mpi_process.hpp"
#endif

namespace makespan::pgas {

std::unique_ptr<Job> open_job_all(JobOptions const& options) {
  Launch const launch = detect_launch([](char const* name) { return std::getenv(name); });
#ifdef MAKESPAN_HAVE_MPI
  // Others in this process may have started MPI though nobody launched it: then it is a job of MPI.
  if (launch.is_launched() || MpiProcess::is_running()) {
    return std::make_unique<MpiJob>(launch, options);
  }
#else
  if (launch.is_launched() && launch.size.value_or(2) > 1) {
    throw InputError("launched by " + launch.launcher,
                     "this build of makespan has no MPI, and would run as so many jobs of one",
                     "build with MAKESPAN_WITH_MPI=ON, or start it without the launcher");
  }
  static_cast<void>(options);
#endif
  return std::make_unique<SingleJob>();
}

}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
// A job whose last meeting does not end: the program has an MPI_Ibarrier of its own, which does not
// come back on image 1 once all images have come to the end.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "makespan/pgas/job/open_job.hpp"
#include "makespan/pgas/job/run_job.hpp"
#include "makespan/pgas/mpi/mpi_api.hpp"

namespace {

bool is_stuck_one = false;
bool is_ending = false;
int barriers_at_end = 0;

}  // namespace

extern "C" int MPI_Ibarrier(MPI_Comm communicator, MPI_Request* request) {
  // The first one tells that all images have come.
  while (is_ending && is_stuck_one && barriers_at_end > 0) ::pause();
  if (is_ending) ++barriers_at_end;
  return PMPI_Ibarrier(communicator, request);
}

int main() {
  using namespace makespan;
  return pgas::run_job([] {
    auto const job = pgas::open_job_all({.finalize_limit = Seconds{1.0}});
    static_cast<void>(job->exchange_all({}));
    is_stuck_one = job->image() == ImageId{1};
    is_ending = true;
    job->finish_all();
    std::printf("image %d has finished\n", static_cast<int>(job->image().value()));
    return EXIT_SUCCESS;
  });
}

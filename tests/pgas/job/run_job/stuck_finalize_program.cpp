// SPDX-License-Identifier: Apache-2.0
// A job whose MPI does not end: the program has an MPI_Finalize of its own, which never comes back.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "makespan/pgas/job/open_job.hpp"
#include "makespan/pgas/job/run_job.hpp"

extern "C" int MPI_Finalize() {
  for (;;) ::pause();
}

int main() {
  using namespace makespan;
  return pgas::run_job([] {
    auto const job = pgas::open_job_all({.finalize_limit = Seconds{1.0}});
    static_cast<void>(job->exchange_all({}));
    std::printf("image %d has finished\n", static_cast<int>(job->image().value()));
    job->finish_all();
    return EXIT_SUCCESS;
  });
}

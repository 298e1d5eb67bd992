// SPDX-License-Identifier: Apache-2.0
// MPI that is held between jobs, and ended by ProcessHold. The program has an MPI_Finalize of its
// own: with `stuck` it never comes back; with `late` it waits for all images, as an MPI may, and
// image 1 comes to it later than the limit lasts. That one has room for the end of a real MPI.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>
#include <thread>

#include "makespan/base/ids.hpp"
#include "makespan/pgas/job/open_job.hpp"
#include "makespan/pgas/job/process_hold.hpp"
#include "makespan/pgas/mpi/mpi_api.hpp"

namespace {

bool is_stuck = false;

}  // namespace

extern "C" int MPI_Finalize() {
  while (is_stuck) ::pause();
  PMPI_Barrier(MPI_COMM_WORLD);
  return PMPI_Finalize();
}

int main(int count, char** arguments) try {
  using namespace makespan;
  is_stuck = count == 2 && std::string_view(arguments[1]) == "stuck";
  pgas::ProcessHold hold({.finalize_limit = Seconds{is_stuck ? 1.0 : 5.0}});
  ImageId image;
  {
    auto const job = pgas::open_job_all();
    static_cast<void>(job->exchange_all({}));
    image = job->image();
    job->finish_all();
  }
  if (!is_stuck && image == ImageId{1}) std::this_thread::sleep_for(std::chrono::seconds(8));
  hold.finish_all();
  std::printf("image %d has ended MPI\n", static_cast<int>(image.value()));
  return EXIT_SUCCESS;
} catch (std::exception const& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return EXIT_FAILURE;
}

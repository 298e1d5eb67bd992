// SPDX-License-Identifier: Apache-2.0
// A program of MPI that uses the runtime for one part: mpiexec -n 3 beside_mpi
//
// The program begins and ends MPI, and keeps its collectives; tasks are shared out by a counter of
// the runtime, which MPI has only as a window that the owner's processor serves.
//
// What to notice: MPI_THREAD_MULTIPLE, since the runtime's heartbeats are sent by a thread of its
// own; images have the numbers of MPI_COMM_WORLD; and the runtime ends before MPI does.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include <mpi.h>

#include <makespan/pgas.hpp>

namespace {

constexpr std::int64_t tasks = 1000;

// Sum of the tasks that this image got.
std::int64_t share_of_tasks() {
  using namespace makespan::pgas;
  Runtime runtime;
  auto const next_task = runtime.allocate_all<std::int64_t>(1, "next_task");
  Endpoint& here = runtime.endpoint(0);
  std::int64_t sum = 0;
  for (;;) {
    std::int64_t const task = fetch_add(here, next_task.at(makespan::ImageId{0}), 1);
    if (task >= tasks) break;
    sum += task;
  }
  runtime.finish_all();
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  int const status = makespan::pgas::run_job([] {
    std::int64_t const sum = share_of_tasks();
    std::int64_t all = 0;
    MPI_Allreduce(&sum, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) std::printf("sum of all tasks %lld\n", static_cast<long long>(all));
    return EXIT_SUCCESS;
  });
  MPI_Finalize();
  return status;
}

// SPDX-License-Identifier: Apache-2.0
// A runtime whose last calls of MPI fail has ended all the same: handles of it are refused, and do
// not lead to what is gone. MPI's profiling interface makes them fail.
#include <cstdio>
#include <cstdlib>

#include "makespan/capi/pgas.h"
#include "makespan/pgas/mpi/mpi_api.hpp"

namespace {

bool is_failing = false;

void expect(int status, int expected, char const* what) {
  if (status == expected) return;
  std::printf("%s: status %d, %s\n", what, status, makespan_last_error());
  std::exit(EXIT_FAILURE);
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the names are MPI's
extern "C" int MPI_Win_free(MPI_Win* window) {
  return is_failing ? MPI_ERR_INTERN : PMPI_Win_free(window);
}

extern "C" int MPI_Comm_free(MPI_Comm* comm) {
  return is_failing ? MPI_ERR_INTERN : PMPI_Comm_free(comm);
}
// NOLINTEND(readability-identifier-naming)

int main() {
  makespan_runtime* runtime = nullptr;
  makespan_endpoint* here = nullptr;
  makespan_team* team = nullptr;
  expect(makespan_begin_all(nullptr, &runtime), MAKESPAN_OK, "begin_all");
  expect(makespan_endpoint_of(runtime, 0, &here), MAKESPAN_OK, "endpoint_of");
  expect(makespan_team_of_all(runtime, &team), MAKESPAN_OK, "team_of_all");

  is_failing = true;
  expect(makespan_end_all(runtime), MAKESPAN_MPI_ERROR, "end_all");
  is_failing = false;

  expect(makespan_team_rank(team), -1, "team_rank");
  expect(makespan_barrier_all(team), MAKESPAN_BAD_INPUT, "barrier_all");
  expect(makespan_progress(here, nullptr), MAKESPAN_BAD_INPUT, "progress");
  expect(makespan_end_all(runtime), MAKESPAN_BAD_INPUT, "end_all once more");
  expect(makespan_image(runtime), -1, "image");
  std::printf("refused after an end that failed\n");
  // The launcher ends the others where a process leaves without it.
  if (PMPI_Finalize() != MPI_SUCCESS) return EXIT_FAILURE;
  return EXIT_SUCCESS;
}

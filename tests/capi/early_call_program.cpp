// SPDX-License-Identifier: Apache-2.0
// Image 0 calls image 1 as its first act, while image 1 is still in makespan_begin_all(): the call
// must wait until the program there has its runtime. MPI's profiling interface makes it so: image 0
// comes to each barrier a little later than image 1, which then sleeps between its look at the
// barrier and its look at calls.
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "makespan/capi/pgas.h"
#include "makespan/pgas/mpi/mpi_api.hpp"

namespace {

std::thread::id const main_thread = std::this_thread::get_id();
bool is_in_barrier = false;  // of the main thread

void sleep_ms(int time) {
  std::this_thread::sleep_for(std::chrono::milliseconds(time));
}

int image() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

bool is_main_of(int which) {
  return std::this_thread::get_id() == main_thread && image() == which;
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the names are MPI's
extern "C" int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  if (is_main_of(0)) sleep_ms(50);
  if (is_main_of(1)) is_in_barrier = true;
  return PMPI_Ibarrier(comm, request);
}

extern "C" int MPI_Test(MPI_Request* request, int* is_done, MPI_Status* status) {
  int const code = PMPI_Test(request, is_done, status);
  if (is_main_of(1) && is_in_barrier) {
    is_in_barrier = *is_done == 0;
    if (is_in_barrier) sleep_ms(300);
  }
  return code;
}
// NOLINTEND(readability-identifier-naming)

namespace {

void expect_ok(int status, char const* what) {
  if (status == MAKESPAN_OK) return;
  std::printf("%s: %s\n", what, makespan_last_error());
  std::exit(EXIT_FAILURE);
}

makespan_runtime* runtime = nullptr;

// Whether there is an endpoint, what becomes of a meeting, and the image as the program knows it.
int look(void const* /*arguments*/, std::int64_t /*bytes*/, void* result,
         std::int64_t /*result_bytes*/) {
  std::int32_t const self = 1;
  std::array<std::int32_t, 3> const found{makespan_here() != nullptr ? 1 : 0,
                                          makespan_sync_images(makespan_here(), &self, 1),
                                          makespan_image(runtime)};
  std::memcpy(result, found.data(), sizeof found);
  return MAKESPAN_OK;
}

}  // namespace

int main() {
  expect_ok(makespan_register_function("look", &look), "register");
  expect_ok(makespan_begin_all(nullptr, &runtime), "begin");
  if (makespan_image(runtime) == 0) {
    makespan_endpoint* here = nullptr;
    expect_ok(makespan_endpoint_of(runtime, 0, &here), "endpoint");
    std::array<std::int32_t, 3> found{-1, -1, -1};
    makespan_remote_call const call{.image = 1,
                                    .thread = 0,
                                    .name = "look",
                                    .arguments = nullptr,
                                    .bytes = 0,
                                    .result = found.data(),
                                    .result_bytes = sizeof found};
    makespan_request* request = nullptr;
    expect_ok(makespan_rpc(here, &call, &request), "call");
    expect_ok(makespan_request_wait(&request), "wait");
    std::printf("endpoint: %d; meeting: %s; image: %d\n", found[0], makespan_status_name(found[1]),
                found[2]);
    if (found != std::array<std::int32_t, 3>{1, MAKESPAN_OK, 1}) return EXIT_FAILURE;
  }
  expect_ok(makespan_end_all(runtime), "end");
  return EXIT_SUCCESS;
}

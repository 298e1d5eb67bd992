// SPDX-License-Identifier: Apache-2.0
// Goal: the last of the jobs that are open ends MPI, one that could not begin is none of them.
// Method: MPI's functions are those below.
#include "makespan/pgas/mpi/mpi_process.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "makespan/base/error.hpp"
#include "makespan/pgas/job/launch.hpp"
#include "makespan/pgas/mpi/mpi_api.hpp"

namespace {

bool is_initialized = false;
int finalized = 0;

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the names are MPI's
extern "C" int MPI_Initialized(int* flag) {
  *flag = is_initialized ? 1 : 0;
  return MPI_SUCCESS;
}

extern "C" int MPI_Finalized(int* flag) {
  *flag = finalized > 0 ? 1 : 0;
  return MPI_SUCCESS;
}

extern "C" int MPI_Init_thread(int* /*count*/, char*** /*arguments*/, int wanted, int* level) {
  is_initialized = true;
  *level = wanted;
  return MPI_SUCCESS;
}

extern "C" int MPI_Query_thread(int* level) {
  *level = MPI_THREAD_MULTIPLE;
  return MPI_SUCCESS;
}

extern "C" int MPI_Comm_set_errhandler(MPI_Comm /*communicator*/, MPI_Errhandler /*handler*/) {
  return MPI_SUCCESS;
}

extern "C" int MPI_Comm_size(MPI_Comm /*communicator*/, int* size) {
  *size = 1;
  return MPI_SUCCESS;
}

extern "C" int MPI_Finalize() {
  ++finalized;
  return MPI_SUCCESS;
}
// NOLINTEND(readability-identifier-naming)

namespace makespan::pgas {
namespace {

TEST(MpiProcess, ends_with_the_last_job_though_one_could_not_begin) {
  constexpr Seconds unlimited{std::numeric_limits<double>::infinity()};
  Launch other_launcher;
  other_launcher.size = 2;
  EXPECT_THROW(MpiProcess{other_launcher}, InputError) << "it sees a job of one";
  ASSERT_TRUE(MpiProcess::is_running());

  MpiProcess first{Launch{}};
  MpiProcess last{Launch{}};
  first.finish_all(true, unlimited);
  EXPECT_EQ(finalized, 0) << "another job is open";
  last.finish_all(true, unlimited);

  EXPECT_EQ(finalized, 1);
}

}  // namespace
}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
// Goal: a job whose end MPI has ended for the sake of an image that it does not name ends all the
// same, as one that has lost an image. Method: MPI_Ibarrier, put before the real one, throws what a
// revoked communicator of Open MPI 5 comes to.
#include <gtest/gtest.h>

#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/job/open_job.hpp"
#include "makespan/pgas/mpi/mpi_api.hpp"
#include "makespan/pgas/mpi/mpi_process.hpp"

namespace {

bool is_revoked = false;

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the name is MPI's
extern "C" int MPI_Ibarrier(MPI_Comm communicator, MPI_Request* request) {
  if (!is_revoked) return PMPI_Ibarrier(communicator, request);
  throw makespan::ImageFailed(makespan::ImageId{}, "revoked", "MPI_Ibarrier");
}
// NOLINTEND(readability-identifier-naming)

namespace makespan::pgas {
namespace {

TEST(RevokedEndTest, Job_ends_without_the_image_that_is_not_named) {
  auto const job = open_job_all({.watch = Watch::off});
  is_revoked = true;

  EXPECT_NO_THROW(job->finish_all());

  EXPECT_EQ(job->lost_images(), 0) << "no image has been named";
  EXPECT_TRUE(MpiProcess::was_left_running()) << "the end of MPI would wait for it";
}

}  // namespace
}  // namespace makespan::pgas

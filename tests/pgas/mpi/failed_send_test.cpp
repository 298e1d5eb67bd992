// SPDX-License-Identifier: Apache-2.0
// Goal: a heartbeat that MPI could not begin to send is sent at the next look. Method: MPI_Isend,
// put before the real one, fails and leaves a request behind that never ends.
#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "makespan/pgas/job/open_job.hpp"
#include "makespan/pgas/mpi/detail/mpi_heartbeat_transport.hpp"
#include "makespan/pgas/mpi/mpi_job.hpp"

namespace {

int sends_to_fail = 0;
MPI_Request endless = MPI_REQUEST_NULL;

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the name is MPI's
extern "C" int MPI_Isend(void const* data, int count, MPI_Datatype type, int to, int tag,
                         MPI_Comm communicator, MPI_Request* request) {
  if (sends_to_fail == 0) return PMPI_Isend(data, count, type, to, tag, communicator, request);
  --sends_to_fail;
  *request = endless;
  return MPI_ERR_INTERN;
}
// NOLINTEND(readability-identifier-naming)

namespace makespan::pgas {
namespace {

TEST(FailedSendTest, Heartbeat_that_failed_is_sent_again) {
  auto const job = open_job_all({.watch = Watch::off});
  {
    MpiHeartbeatTransport transport(dynamic_cast<MpiJob&>(*job).duplicate_all(), job->image());
    int nothing = 0;
    ASSERT_EQ(PMPI_Irecv(&nothing, 1, MPI_INT, 0, 77, MPI_COMM_SELF, &endless), MPI_SUCCESS);
    sends_to_fail = 1;
    transport.send({job->image(), {.kind = HeartbeatKind::loss, .lost = 5}});
    EXPECT_EQ(sends_to_fail, 0);

    std::optional<HeartbeatEvent> event;
    for (int look = 0; look < 1000 && !event; ++look) event = transport.receive();

    ASSERT_TRUE(event.has_value());
    EXPECT_EQ(std::get<HeartbeatHeard>(*event).message.lost, 5);
    EXPECT_EQ(PMPI_Cancel(&endless), MPI_SUCCESS);
    EXPECT_EQ(PMPI_Wait(&endless, MPI_STATUS_IGNORE), MPI_SUCCESS);
  }
  job->finish_all();
}

}  // namespace
}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/mpi/mpi_communicator.hpp"

#include <exception>
#include <thread>

#include "makespan/pgas/mpi/mpi_error.hpp"

namespace makespan::pgas {

void MpiCommunicatorTraits::release(Handle communicator) noexcept {
  int is_finalized = 0;
  if (std::uncaught_exceptions() > 0) return;
  if (MPI_Finalized(&is_finalized) != MPI_SUCCESS || is_finalized != 0) return;
  // A destructor cannot report an error: a communicator that cannot be freed is leaked.
  static_cast<void>(MPI_Comm_free(&communicator));
}

MpiCommunicator own_communicator(MPI_Comm communicator, ImageId image) {
  MpiCommunicator owned(communicator);
  check_mpi(MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler",
            image);
  return owned;
}

MpiCommunicator duplicate_all(MPI_Comm original, ImageId image) {
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Comm_idup(original, &copy, &request), "MPI_Comm_idup", image);
  // Giving way, which MPI_Comm_dup does not: there may be more images than cores.
  for (int is_done = 0;;) {
    check_mpi(MPI_Test(&request, &is_done, MPI_STATUS_IGNORE), "MPI_Comm_idup", image);
    if (is_done != 0) return own_communicator(copy, image);
    std::this_thread::yield();
  }
}

}  // namespace makespan::pgas

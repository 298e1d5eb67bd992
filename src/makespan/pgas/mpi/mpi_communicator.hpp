// SPDX-License-Identifier: Apache-2.0
#pragma once

// A communicator of our own: errors are returned, and it is freed when its owner goes.

#include "makespan/base/ids.hpp"
#include "makespan/pgas/job/unique_handle.hpp"
#include "makespan/pgas/mpi/mpi_api.hpp"

namespace makespan::pgas {

// MPI calls freeing a communicator collective, but expects it to be local, and in MPICH and Open
// MPI it is. So the handle frees alone; but not while an exception is on its way or after MPI has
// ended, when it is leaked, knowingly: the job is about to end.
struct MpiCommunicatorTraits {
  using Handle = MPI_Comm;
  static Handle null() { return MPI_COMM_NULL; }
  static bool is_null(Handle communicator) { return communicator == MPI_COMM_NULL; }
  static void release(Handle communicator) noexcept;
};
using MpiCommunicator = UniqueHandle<MpiCommunicatorTraits>;

// Makes `communicator` return its errors, and owns it.
[[nodiscard]] MpiCommunicator own_communicator(MPI_Comm communicator, ImageId image);

// Collective over `original`: the same members, messages of its own.
[[nodiscard]] MpiCommunicator duplicate_all(MPI_Comm original, ImageId image);

}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Groups of processes, as MPI lists them.

#include "makespan/pgas/job/unique_handle.hpp"
#include "makespan/pgas/mpi/mpi_api.hpp"

namespace makespan::pgas {

struct MpiGroupTraits {
  using Handle = MPI_Group;
  static Handle null() { return MPI_GROUP_NULL; }
  static bool is_null(Handle group) { return group == MPI_GROUP_NULL; }
  // Fails only for a group that is none.
  static void release(Handle group) noexcept { static_cast<void>(MPI_Group_free(&group)); }
};
using MpiGroup = UniqueHandle<MpiGroupTraits>;

}  // namespace makespan::pgas

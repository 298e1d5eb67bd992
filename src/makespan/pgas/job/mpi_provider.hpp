// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which MPI this process has. There are three answers, each a library of its own in pgas/mpi, and a
// program is linked to one of them (the target property MAKESPAN_MPI; src/makespan/pgas/mpi):
//
//   linked   the MPI that the program was built with;
//   loaded   one that is found when it is needed: the Python extension;
//   none     the build has no MPI.

#include "makespan/pgas/job/launch.hpp"
#include "makespan/pgas/job/mpi_backend.hpp"

namespace makespan::pgas {

// The MPI of a process that was launched so. Null where there is none: `none`; with `loaded`, where
// no launcher started the process and no MPI runs in it, or a job of one finds no MPI. Always the
// same one, once there is one. Callable from any thread.
//
// Throws InputError where a process was launched as one of several and the launcher's MPI cannot be
// found or loaded.
[[nodiscard]] MpiBackend* mpi_for(Launch const& launch);

// What mpi_for() has returned before, or null. Callable from any thread.
[[nodiscard]] MpiBackend* mpi_in_use() noexcept;

}  // namespace makespan::pgas

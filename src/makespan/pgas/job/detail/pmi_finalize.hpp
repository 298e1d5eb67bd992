// SPDX-License-Identifier: Apache-2.0
#pragma once

// Telling the launcher that a process ends without MPI_Finalize, and means it.

#include <chrono>

namespace makespan::pgas {

// Hydra (the mpiexec of MPICH) and others speak PMI 1 with each process through the descriptor that
// they name in PMI_FD. Where that is closed without "cmd=finalize" before the process itself has
// been waited for, Hydra takes it for one that failed, gives it exit code 1 and kills the others:
// a matter of microseconds, which a process that just ends loses now and then.
//
// Says "cmd=finalize" and waits for the answer, `limit` at most. MPI must not be called any more.
// True if the launcher has answered; false where there is none of that kind, or it is silent.
bool pmi_finalize(char const* pmi_fd, std::chrono::milliseconds limit);

}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
#pragma once

// A thread's turn to call MPI, where the library does not bear several threads at once.

#include <mutex>

#include "makespan/pgas/job/mpi_api.hpp"

namespace makespan::pgas {

// Open MPI 5.0 promises MPI_THREAD_MULTIPLE. Yet a message between two threads that wait for nothing
// else now and then stays inside it until another one comes, over shared memory and over TCP alike:
// about once in 50 runs of RpcTest.Threads_call_each_other on busy cores, and never when one thread
// at a time calls it (docs/decisions/0043-one-thread-at-a-time-in-open-mpi.md). Other libraries need
// no turn, and this does nothing with them.
//
// Held around calls that return at once. A thread may take it again inside its own turn.
class MpiTurn {
 public:
#ifdef OPEN_MPI
  MpiTurn() : lock_{everybody()} {}

 private:
  static std::recursive_mutex& everybody() {
    static std::recursive_mutex one;
    return one;
  }

  std::scoped_lock<std::recursive_mutex> lock_;
#else
  MpiTurn() {}  // not defaulted: a variable of it is no unused one
#endif
};

}  // namespace makespan::pgas

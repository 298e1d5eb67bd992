// SPDX-License-Identifier: Apache-2.0
#pragma once

// A thread's turn to call MPI, where the library does not bear several threads at once.

#include <atomic>
#include <cstdint>

#include "makespan/pgas/job/mpi_api.hpp"

namespace makespan::pgas {

// Open MPI 5.0 promises MPI_THREAD_MULTIPLE. Yet a message between two threads that wait for
// nothing else now and then stays inside it until another one comes, over shared memory and over
// TCP alike: about once in 50 runs of RpcTest.Threads_call_each_other on busy cores, and hardly
// ever when one thread at a time calls it
// (docs/decisions/0043-one-thread-at-a-time-in-open-mpi.md). Other libraries need no turn, and this
// does nothing with them.
//
// Turns are taken in the order in which they were asked for. With a mutex, a thread that polls
// without pause takes it again before one that sleeps on it wakes up: others wait for seconds, and
// an image that sends no heartbeat for one is lost.
//
// Held around calls of MPI that return at once, and nothing else: whoever waits for a lock in its
// turn waits for ever if the lock's holder waits for its own. A thread may take it again inside.
class MpiTurn {
#ifdef OPEN_MPI
 public:
  MpiTurn() {
    if (turns_held++ > 0) return;
    std::uint32_t const mine = next_number.fetch_add(1, std::memory_order_relaxed);
    for (std::uint32_t called = number_called.load(std::memory_order_acquire); called != mine;
         called = number_called.load(std::memory_order_acquire)) {
      number_called.wait(called, std::memory_order_acquire);
    }
  }
  ~MpiTurn() {
    if (--turns_held > 0) return;
    number_called.fetch_add(1, std::memory_order_release);
    number_called.notify_all();
  }

 private:
  static inline std::atomic<std::uint32_t> next_number{0};
  static inline std::atomic<std::uint32_t> number_called{0};
  static inline thread_local int turns_held{0};
#else
 public:
  MpiTurn() = default;
  ~MpiTurn() {}  // not defaulted: a variable of it is no unused one
#endif

 public:
  MpiTurn(MpiTurn const&) = delete;
  MpiTurn& operator=(MpiTurn const&) = delete;
};

}  // namespace makespan::pgas

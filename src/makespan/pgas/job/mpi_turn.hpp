// SPDX-License-Identifier: Apache-2.0
#pragma once

// A thread's turn to call MPI, where the library does not bear several threads at once.

#include <atomic>
#include <mutex>
#include <thread>

#include "makespan/pgas/job/mpi_api.hpp"

namespace makespan::pgas {

// Open MPI 5.0 promises MPI_THREAD_MULTIPLE. Yet a message between two threads that wait for
// nothing else now and then stays inside it until another one comes, over shared memory and over
// TCP alike: about once in 50 runs of RpcTest.Threads_call_each_other on busy cores, and hardly
// ever when one thread at a time calls it
// (docs/decisions/0043-one-thread-at-a-time-in-open-mpi.md). Other libraries need no turn, and this
// does nothing with them.
//
// Held around calls that return at once. A thread may take it again inside its own turn.
class MpiTurn {
 public:
  // Whose turn comes first: threads that poll without pause would let others wait for seconds, and
  // an image that sends no heartbeat for one is lost.
  enum class Order { any, first };

#ifdef OPEN_MPI
  explicit MpiTurn(Order order = Order::any) {
    if (turns_held++ > 0) return;
    if (order == Order::first) {
      ++first_ones;
      everybody.lock();
      --first_ones;
    } else {
      while (first_ones.load(std::memory_order_relaxed) > 0) std::this_thread::yield();
      everybody.lock();
    }
  }
  ~MpiTurn() {
    if (--turns_held == 0) everybody.unlock();
  }

 private:
  static inline std::mutex everybody;
  static inline std::atomic<int> first_ones{0};
  static inline thread_local int turns_held{0};
#else
  explicit MpiTurn(Order /*order*/ = Order::any) {}
  ~MpiTurn() {}  // not defaulted: a variable of it is no unused one
#endif

 public:
  MpiTurn(MpiTurn const&) = delete;
  MpiTurn& operator=(MpiTurn const&) = delete;
};

}  // namespace makespan::pgas

// SPDX-License-Identifier: Apache-2.0
#pragma once

// The threads of an image, which do one phase of a computation after the other together, each with
// its own endpoint.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

#include "makespan/pgas/endpoint.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::graph500 {

// Its threads live as long as it, and drive progress of their endpoints between phases, so that
// other images' puts and gets go on. Tested by tests/apps/graph500/thread_pool_test.cpp.
class ThreadPool {
 public:
  using Job = std::function<void(pgas::Endpoint&)>;

  // Not collective, but images whose pools differ in size are not for each other: thread t of one
  // talks to thread t of another. Throws InputError on fewer threads than 1, or more than the
  // runtime has endpoints.
  ThreadPool(pgas::Runtime& runtime, int threads);
  ThreadPool(ThreadPool const&) = delete;
  ThreadPool& operator=(ThreadPool const&) = delete;
  ~ThreadPool();

  [[nodiscard]] pgas::Runtime& runtime() const { return runtime_; }
  [[nodiscard]] int threads() const { return threads_; }

  // Calls job(endpoint) on each thread, the caller being that of endpoint 0. Blocks until all are
  // through. Throws what one has thrown, of several the one of the lowest number, also while it
  // waited for this job: an image that is lost ends all that comes later.
  void run(Job const& job);

  // Calls body(endpoint, begin, end) for parts of 0 … count-1, `chunk` long but for the last, on
  // whichever thread is free; each flushes what it has put. As run().
  template <class Body>
  void each_chunk(std::int64_t count, std::int64_t chunk, Body const& body) {
    // One part is not worth waking the others.
    if (count <= chunk) {
      pgas::Endpoint& here = runtime_.endpoint(0);
      if (count > 0) body(here, std::int64_t{0}, count);
      here.flush_all();
      return;
    }
    std::atomic<std::int64_t> next{0};
    run([&](pgas::Endpoint& here) {
      for (;;) {
        std::int64_t const begin = next.fetch_add(chunk, std::memory_order_relaxed);
        if (begin >= count) break;
        body(here, begin, std::min(count, begin + chunk));
        here.progress();
      }
      here.flush_all();
    });
  }

 private:
  void work(int thread);
  void stop();
  void wait_for_others();

  pgas::Runtime& runtime_;
  int threads_;
  Job const* job_{nullptr};
  std::atomic<std::int64_t> phase_{0};  // below 0: there is no more to do
  std::atomic<int> done_{0};            // threads that are through with the phase
  std::vector<std::exception_ptr> errors_;
  std::vector<std::jthread> others_{};  // last: they are joined before the rest goes
};

}  // namespace makespan::graph500

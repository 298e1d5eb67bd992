// SPDX-License-Identifier: Apache-2.0
#pragma once

// Threads that do one thing together, again and again.

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace makespan::grid {

// The thread that calls run() is thread 0 of the thread team, the others are its own and wait for
// the next call: for 50 µs with their core, then asleep. Tested by tests/grid/thread_team_test.cpp.
class ThreadTeam {
 public:
  // One thread for each of `cores`, tied to it, but thread 0, which is its callers': they see to
  // where they run (machine::PinScope). An empty list is one thread.
  // `calls_before` is where the count of calls begins, which goes round after 2^32.
  explicit ThreadTeam(std::vector<int> cores = {}, std::uint32_t calls_before = 0);
  ThreadTeam(ThreadTeam const&) = delete;
  ThreadTeam& operator=(ThreadTeam const&) = delete;
  ~ThreadTeam();

  [[nodiscard]] int threads() const { return static_cast<int>(threads_.size()) + 1; }

  // Runs work(thread) on all, and blocks until all have; throws what the first of them threw. For
  // one thread at a time.
  void run(std::function<void(int)> const& work);

  // Runs work(part, thread) once for each of threads() parts, and blocks until all are done; throws
  // what the first of them threw. A thread does the part of its own number, then those that their
  // own threads have not begun: a thread that other programs keep from its core holds up no call
  // that it has not begun its part of. For one thread at a time.
  void run_parts(std::function<void(int, int)> const& work);

 private:
  struct Call {
    std::function<void(int, int)> const* work{};
    bool is_shared{};  // parts may be done by threads that they are not of
  };
  // The number of the last call in which the part was begun. Alone on its line.
  struct alignas(64) Claim {
    std::atomic<std::uint32_t> call{};
  };

  void run(Call const& call);
  void follow(int thread, int core, std::uint32_t seen);
  void end();
  void take_part(int thread, std::uint32_t call);
  [[nodiscard]] bool begin_part(int part, std::uint32_t call);
  [[nodiscard]] bool do_part(int part, int thread);

  std::vector<int> cores_;
  std::vector<Claim> claims_;
  Call call_{};                         // for a thread that has begun a part of it
  std::atomic<std::uint32_t> calls_;    // that have begun, and one more in the end
  std::atomic<bool> is_over_{false};    // set before that one
  std::atomic<std::uint32_t> left_{0};  // parts of the call that are not done
  std::atomic<bool> has_failed_{false};
  std::exception_ptr failure_{};  // of the first that set has_failed_
  std::vector<std::jthread> threads_{};
};

}  // namespace makespan::grid

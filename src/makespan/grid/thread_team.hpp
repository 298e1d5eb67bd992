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
  // One thread for each of `cores`, tied to it, thread 0 too where `cores` has more than one or it
  // is told to be by tie(); an empty list is one thread, anywhere.
  // `calls_before` is where the count of calls begins, which goes round after 2^32.
  explicit ThreadTeam(std::vector<int> cores = {}, std::uint32_t calls_before = 0);
  ThreadTeam(ThreadTeam const&) = delete;
  ThreadTeam& operator=(ThreadTeam const&) = delete;
  ~ThreadTeam();

  [[nodiscard]] int threads() const { return static_cast<int>(threads_.size()) + 1; }

  // Ties the calling thread to the first core, if there are cores.
  void tie() const;

  // Runs work(thread) on all, and blocks until all have; throws what the first of them threw. For
  // one thread at a time.
  void run(std::function<void(int)> const& work);

 private:
  void follow(int thread, int core, std::uint32_t seen);
  void end();
  void do_part(int thread);

  std::vector<int> cores_;
  std::function<void(int)> const* work_{};
  std::atomic<std::uint32_t> calls_;       // that have begun, and one more in the end
  std::atomic<bool> is_over_{false};       // set before that one
  std::atomic<std::uint32_t> working_{0};  // followers that have not finished the call
  std::atomic<bool> has_failed_{false};
  std::exception_ptr failure_{};  // of the first that set has_failed_
  std::vector<std::jthread> threads_{};
};

}  // namespace makespan::grid

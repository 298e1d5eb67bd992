// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/thread_team.hpp"

#include <algorithm>
#include <chrono>

#include "makespan/machine/affinity.hpp"

namespace makespan::grid {

namespace {

// About what waking a thread takes: to sleep pays for longer waits only.
constexpr std::chrono::microseconds spinning{50};

// Until the word is something else than `seen`; what it is then.
std::uint32_t changed(std::atomic<std::uint32_t> const& word, std::uint32_t seen) {
  auto const begin = std::chrono::steady_clock::now();
  constexpr int rounds_without_yield = 256;
  for (int round = 0;; ++round) {
    std::uint32_t const now = word.load(std::memory_order_acquire);
    if (now != seen) return now;
    if (round < rounds_without_yield) continue;
    if (std::chrono::steady_clock::now() - begin > spinning) {
      word.wait(seen, std::memory_order_acquire);
    } else {
      std::this_thread::yield();
    }
  }
}

}  // namespace

ThreadTeam::ThreadTeam(std::vector<int> cores, std::uint32_t calls_before)
    : cores_{std::move(cores)},
      claims_(std::max<std::size_t>(cores_.size(), 1)),
      calls_{calls_before} {
  for (Claim& claim : claims_) claim.call.store(calls_before, std::memory_order_relaxed);
  try {
    for (std::size_t thread = 1; thread < cores_.size(); ++thread) {
      threads_.emplace_back([this, thread, calls_before] {
        follow(static_cast<int>(thread), cores_[thread], calls_before);
      });
    }
  } catch (...) {
    end();  // those that there are wait for a call
    throw;
  }
}

ThreadTeam::~ThreadTeam() {
  end();
}

void ThreadTeam::end() {
  // Counted up like a call, which wakes the threads; what is set before it is seen with it.
  is_over_.store(true, std::memory_order_relaxed);
  calls_.fetch_add(1, std::memory_order_release);
  calls_.notify_all();
}

void ThreadTeam::run(std::function<void(int)> const& work) {
  std::function<void(int, int)> const of_own_part = [&work](int, int thread) { work(thread); };
  run({.work = &of_own_part, .is_shared = false});
}

void ThreadTeam::run_parts(std::function<void(int, int)> const& work) {
  run({.work = &work, .is_shared = true});
}

void ThreadTeam::run(Call const& call) {
  // Plain writes: a thread reads them once it has begun a part of this call, of which it learned by
  // an acquire of calls_. One that is late begins none, and reads nothing.
  call_ = call;
  has_failed_ = false;
  failure_ = nullptr;
  left_.store(static_cast<std::uint32_t>(threads()), std::memory_order_relaxed);
  std::uint32_t const number = calls_.fetch_add(1, std::memory_order_release) + 1;
  calls_.notify_all();
  take_part(0, number);
  // Each part is counted down by a release: what parts wrote, and failure_, can be read once none
  // is left.
  std::uint32_t left = left_.load(std::memory_order_acquire);
  while (left != 0) left = changed(left_, left);
  if (failure_) std::rethrow_exception(failure_);
}

void ThreadTeam::follow(int thread, int core, std::uint32_t seen) {
  static_cast<void>(machine::pin_this_thread(core));
  for (;;) {
    seen = changed(calls_, seen);
    if (is_over_.load(std::memory_order_relaxed)) return;
    take_part(thread, seen);
  }
}

// The call may be over, and later ones begun, when a late thread comes here: it then begins no
// part, and touches nothing of them.
void ThreadTeam::take_part(int thread, std::uint32_t call) {
  // Its own part was begun by another thread: in shared calls alone.
  bool const is_shared = !begin_part(thread, call) || do_part(thread, thread);
  for (int next = 1; is_shared && next < threads(); ++next) {
    int const part = (thread + next) % threads();
    if (begin_part(part, call)) static_cast<void>(do_part(part, thread));
  }
}

// Each part is begun once in a call, so that its number goes up by one. From now on the call lasts
// until the part is done.
bool ThreadTeam::begin_part(int part, std::uint32_t call) {
  // Relaxed: it only says whose the part is. The call is seen by the acquire of calls_, and what
  // parts write by that of left_.
  std::uint32_t last = call - 1;
  return claims_[static_cast<std::size_t>(part)].call.compare_exchange_strong(
      last, call, std::memory_order_relaxed);
}

// Whether the call is shared: not to be asked for afterwards, when it may be over.
bool ThreadTeam::do_part(int part, int thread) {
  bool const is_shared = call_.is_shared;
  try {
    (*call_.work)(part, thread);
  } catch (...) {
    if (!has_failed_.exchange(true)) failure_ = std::current_exception();
  }
  // With the last part the caller may return: from here on the call may be gone.
  if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) left_.notify_all();
  return is_shared;
}

}  // namespace makespan::grid

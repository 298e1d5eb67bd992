// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/thread_team.hpp"

#include <chrono>

#include "makespan/machine/affinity.hpp"

namespace makespan::grid {

namespace {

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
    : cores_{std::move(cores)}, calls_{calls_before} {
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
  is_over_.store(true, std::memory_order_relaxed);
  calls_.fetch_add(1, std::memory_order_release);
  calls_.notify_all();
}

void ThreadTeam::tie() const {
  // One that cannot be tied is slower at worst.
  if (!cores_.empty()) static_cast<void>(machine::pin_this_thread(cores_.front()));
}

void ThreadTeam::run(std::function<void(int)> const& work) {
  work_ = &work;
  has_failed_ = false;
  failure_ = nullptr;
  working_.store(static_cast<std::uint32_t>(threads_.size()), std::memory_order_relaxed);
  calls_.fetch_add(1, std::memory_order_release);
  calls_.notify_all();
  do_part(0);
  std::uint32_t left = working_.load(std::memory_order_acquire);
  while (left != 0) left = changed(working_, left);
  if (failure_) std::rethrow_exception(failure_);
}

void ThreadTeam::follow(int thread, int core, std::uint32_t seen) {
  static_cast<void>(machine::pin_this_thread(core));
  for (;;) {
    seen = changed(calls_, seen);
    if (is_over_.load(std::memory_order_relaxed)) return;
    do_part(thread);
    if (working_.fetch_sub(1, std::memory_order_acq_rel) == 1) working_.notify_all();
  }
}

void ThreadTeam::do_part(int thread) {
  try {
    (*work_)(thread);
  } catch (...) {
    if (!has_failed_.exchange(true)) failure_ = std::current_exception();
  }
}

}  // namespace makespan::grid

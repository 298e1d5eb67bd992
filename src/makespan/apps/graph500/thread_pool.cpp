// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/graph500/thread_pool.hpp"

#include <cstddef>
#include <string>

#include "makespan/base/error.hpp"

namespace makespan::graph500 {

namespace {

// Computing takes as long as it takes: only lost images end these waits.
constexpr pgas::Awaited next_phase{.call = "a thread that waits for work",
                                   .limit = pgas::WaitLimit::none};
constexpr pgas::Awaited other_threads{.call = "a phase of several threads",
                                      .limit = pgas::WaitLimit::none};

int checked_threads(int threads) {
  if (threads < 1) {
    throw InputError("threads = " + std::to_string(threads), "no thread searches",
                     "give 1 at least");
  }
  return threads;
}

}  // namespace

ThreadPool::ThreadPool(pgas::Runtime& runtime, int threads)
    : runtime_{runtime},
      threads_{checked_threads(threads)},
      errors_(static_cast<std::size_t>(threads)) {
  static_cast<void>(runtime.endpoint(threads - 1));  // throws where there are not as many
  try {
    for (int thread = 1; thread < threads; ++thread) {
      others_.emplace_back([this, thread] { work(thread); });
    }
  } catch (...) {
    stop();
    throw;
  }
}

ThreadPool::~ThreadPool() {
  stop();
}

void ThreadPool::stop() {
  phase_.store(-1, std::memory_order_release);
  phase_.notify_all();
}

void ThreadPool::work(int thread) {
  pgas::Endpoint& here = runtime_.endpoint(thread);
  std::exception_ptr& error = errors_[static_cast<std::size_t>(thread)];
  std::exception_ptr lost;  // what ended a wait ends all later ones, and is said in each phase
  for (std::int64_t last = 0;;) {
    auto const phase = [&] { return phase_.load(std::memory_order_acquire); };
    try {
      if (!lost) here.wait_until([&] { return phase() != last; }, next_phase);
    } catch (...) {
      lost = std::current_exception();
    }
    // Asleep, since its endpoint drives nothing any more; the next phase, or the end, wakes it.
    if (lost) phase_.wait(last, std::memory_order_acquire);
    last = phase();
    if (last < 0) return;
    error = lost;
    try {
      if (!lost) (*job_)(here);
    } catch (...) {
      error = std::current_exception();
    }
    // run() reads this with acquire, and sees with it what the thread has done, and its error.
    done_.fetch_add(1, std::memory_order_release);
    done_.notify_one();
  }
}

void ThreadPool::run(Job const& job) {
  job_ = &job;
  // No other thread is in a phase now; the addition below publishes this, and the job.
  done_.store(0, std::memory_order_relaxed);
  phase_.fetch_add(1, std::memory_order_release);
  if (threads_ > 1) phase_.notify_all();
  errors_[0] = nullptr;
  try {
    job(runtime_.endpoint(0));
  } catch (...) {
    errors_[0] = std::current_exception();
  }
  if (threads_ > 1) wait_for_others();
  for (std::exception_ptr const& error : errors_) {
    if (error) std::rethrow_exception(error);
  }
}

// Also after an error: they use the job, which the caller owns. Each notices by itself what is
// lost.
void ThreadPool::wait_for_others() {
  auto const done = [&] { return done_.load(std::memory_order_acquire); };
  try {
    runtime_.endpoint(0).wait_until([&] { return done() == threads_ - 1; }, other_threads);
  } catch (...) {
    if (!errors_[0]) errors_[0] = std::current_exception();
    for (int now = done(); now < threads_ - 1; now = done()) {
      done_.wait(now, std::memory_order_acquire);
    }
  }
}

}  // namespace makespan::graph500

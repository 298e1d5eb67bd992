// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/progress/progress_thread.hpp"

#include <sys/prctl.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "makespan/base/contracts.hpp"
#include "makespan/pgas/progress/bound_core.hpp"
#include "makespan/pgas/task/spin_lock.hpp"

namespace makespan::pgas {

namespace {

constexpr std::chrono::microseconds nap_time{50};
// Between two looks at channels that threads poll, all of them: then the threads do the work.
constexpr std::chrono::microseconds waited_on_nap_time{100};
// Of a helper that spins. A yield that no thread wants takes 0.3 µs, as long as a few looks.
constexpr int rounds_between_yields = 64;

}  // namespace

ProgressThread::ProgressThread(ProgressMode mode, std::vector<Channel*> channels,
                               std::optional<int> core)
    : channels_{std::move(channels)}, mode_{mode}, core_{core} {
  MAKESPAN_EXPECT(mode != ProgressMode::manual);
  bool const have_events =
      std::ranges::all_of(channels_, [](Channel const* channel) { return channel->has_events(); });
  if (mode_ == ProgressMode::event && !have_events) mode_ = ProgressMode::nap;
  if (mode_ == ProgressMode::event) {
    sleeper_ = std::make_unique<Sleeper>();
    for (Channel* const channel : channels_) {
      channel->listen_to_attention(&sleeper_->add(channel->event_descriptors()));
    }
  }
  thread_ = std::thread([this] { run(); });
}

ProgressThread::~ProgressThread() {
  ends_.store(true, std::memory_order_release);
  if (sleeper_) sleeper_->wake();
  thread_.join();
  // They know the sleeper, which goes next.
  for (Channel* const channel : channels_) channel->listen_to_attention(nullptr);
}

std::exception_ptr ProgressThread::take_error() {
  if (!has_error_.load(std::memory_order_acquire)) return nullptr;
  std::scoped_lock const lock(mutex_);
  has_error_.store(false, std::memory_order_relaxed);
  return std::exchange(error_, nullptr);
}

void ProgressThread::run() noexcept {
  if (core_) bind_this_thread(*core_);
  // Naps as long as they say: by default the kernel may add 50 µs.
  prctl(PR_SET_TIMERSLACK, 1000);
  try {
    while (!ends_.load(std::memory_order_acquire)) {
      if (poll_all() > 0) {
        rounds_idle_ = 0;
      } else {
        rest();
      }
    }
  } catch (...) {
    std::scoped_lock const lock(mutex_);
    error_ = std::current_exception();
    has_error_.store(true, std::memory_order_release);
  }
}

// After a look that found nothing.
void ProgressThread::rest() {
  switch (mode_) {
    case ProgressMode::spin:
      if (++rounds_idle_ % rounds_between_yields == 0) {
        std::this_thread::yield();
      } else {
        pause_core();
      }
      break;
    case ProgressMode::event:
      // A channel that cannot be armed has something, which the look finds, or a thread that waits
      // on it, perhaps for long: then a nap.
      if (arm_all()) {
        sleeper_->sleep();
      } else if (poll_all() == 0) {
        nap();
      }
      break;
    default:
      nap();
  }
}

int ProgressThread::poll_all() {
  int happened = 0;
  for (Channel* const channel : channels_) {
    if (!channel->has_waiting_thread()) happened += channel->try_poll();
  }
  return happened;
}

// False: not all of them sleep, so this thread must not either.
bool ProgressThread::arm_all() {
  return std::ranges::all_of(
      channels_, [](Channel* channel) { return !channel->has_waiting_thread() && channel->arm(); });
}

void ProgressThread::nap() const {
  bool const all_have_waiting_threads = std::ranges::all_of(
      channels_, [](Channel const* channel) { return channel->has_waiting_thread(); });
  std::this_thread::sleep_for(all_have_waiting_threads ? waited_on_nap_time : nap_time);
}

}  // namespace makespan::pgas

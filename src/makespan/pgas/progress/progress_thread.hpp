// SPDX-License-Identifier: Apache-2.0
#pragma once

// A thread that drives progress while the others compute.
//
// nap: looks at all channels, and sleeps for 50 µs when nothing happened. Costs a wake-up each
// time, even if no image communicates. event: arms the channels, and sleeps until one of them has
// something. Costs nothing while no image communicates. spin: looks at all channels without rest,
// and answers soonest, on a core of its own; it yields that core to another thread that wants it,
// which then delays it by milliseconds.
//
// Channels that a thread waits on are left to that thread.

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "makespan/pgas/channel/channel.hpp"
#include "makespan/pgas/progress/detail/sleeper.hpp"
#include "makespan/pgas/progress/progress_mode.hpp"

namespace makespan::pgas {

class ProgressThread {
 public:
  // Starts the thread, bound to processor `core`, or to none. No thread polls a channel
  // meanwhile, nor while it ends. `mode` is not manual; with a channel that has no events, event is
  // nap.
  ProgressThread(ProgressMode mode, std::vector<Channel*> channels, std::optional<int> core = {});
  ProgressThread(ProgressThread const&) = delete;
  ProgressThread& operator=(ProgressThread const&) = delete;
  // Ends the thread, within 100 ms.
  ~ProgressThread();

  // What it does in fact.
  [[nodiscard]] ProgressMode mode() const { return mode_; }

  // The first exception of its thread, which has ended then; null if there is none.
  [[nodiscard]] std::exception_ptr take_error();

 private:
  void run() noexcept;
  void rest();
  int poll_all();
  [[nodiscard]] bool arm_all();
  void nap() const;

  std::vector<Channel*> channels_;
  ProgressMode mode_;
  std::optional<int> core_;
  std::unique_ptr<Sleeper> sleeper_;
  std::uint64_t rounds_idle_{0};  // of a helper that spins
  std::atomic<bool> ends_{false};
  std::atomic<bool> has_error_{false};
  std::mutex mutex_;
  std::exception_ptr error_;  // under the mutex
  std::thread thread_;
};

}  // namespace makespan::pgas

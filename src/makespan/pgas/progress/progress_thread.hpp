// SPDX-License-Identifier: Apache-2.0
#pragma once

// A thread that drives progress while the others compute.
//
// nap: looks at all channels, and sleeps for 50 µs when nothing happened. Costs a wake-up each
// time, even if no image communicates. event: arms the channels, and sleeps until one of them has
// something. Costs nothing while no image communicates.
//
// Channels that a thread waits on are left to that thread.

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "makespan/pgas/channel/channel.hpp"
#include "makespan/pgas/progress/detail/sleeper.hpp"
#include "makespan/pgas/progress/progress_mode.hpp"

namespace makespan::pgas {

class ProgressThread {
 public:
  // Starts the thread. No thread attends a channel meanwhile, nor while it ends. `mode` is nap or
  // event; with a channel that has no events, event is nap.
  ProgressThread(ProgressMode mode, std::vector<Channel*> channels);
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
  int poll_all();
  [[nodiscard]] bool arm_all();
  void nap() const;

  std::vector<Channel*> channels_;
  ProgressMode mode_;
  std::unique_ptr<Sleeper> sleeper_;
  std::atomic<bool> ends_{false};
  std::atomic<bool> has_error_{false};
  std::mutex mutex_;
  std::exception_ptr error_;  // under the mutex
  std::thread thread_;
};

}  // namespace makespan::pgas

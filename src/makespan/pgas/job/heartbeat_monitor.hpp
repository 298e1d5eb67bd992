// SPDX-License-Identifier: Apache-2.0
#pragma once

// The thread that keeps an image in the ring of heartbeats, whatever the others of its threads do:
// an image that computes for an hour beats all the same, one that is stopped or dead does not.

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "makespan/base/ids.hpp"
#include "makespan/pgas/job/detail/heartbeat_ring.hpp"
#include "makespan/pgas/job/loss_board.hpp"

namespace makespan::pgas {

class HeartbeatTransport;

class HeartbeatMonitor {
 public:
  // Begins at once. `transport`, `losses` and `hosts` (by image) outlive it. Losses are noted in
  // `losses`; so is this image itself if its monitor fails, since it watches no image any more.
  HeartbeatMonitor(HeartbeatRing ring, HeartbeatTimes const& times, HeartbeatTransport& transport,
                   LossBoard& losses, std::span<std::string const> hosts);
  HeartbeatMonitor(HeartbeatMonitor const&) = delete;
  HeartbeatMonitor& operator=(HeartbeatMonitor const&) = delete;
  ~HeartbeatMonitor() = default;  // stops

  // Whether something has ended the thread, and what.
  [[nodiscard]] bool has_failed();
  void rethrow_failure();

  // The time that the ring's steps are at.
  [[nodiscard]] static Seconds now();

  // Spreads a loss that was found otherwise. Callable from any thread.
  void suspect(ImageId image);

  // All images have come to the end: say that this one leaves. has_left() tells when this image may
  // stop.
  void leave();
  [[nodiscard]] bool has_left() const { return has_left_; }

 private:
  void run(std::stop_token const& stop) noexcept;
  void keep_failure();
  void nap(std::stop_token const& stop);
  void run_round();
  void step(HeartbeatEvent const& event);

  HeartbeatRing ring_;
  HeartbeatTimes times_;
  HeartbeatTransport& transport_;
  LossBoard& losses_;
  std::span<std::string const> hosts_;

  std::mutex mutex_;
  std::condition_variable_any wakes_;
  std::vector<ImageId> suspects_;  // under mutex_
  bool leaves_{false};             // under mutex_
  std::exception_ptr failure_;     // under mutex_
  std::atomic<bool> has_left_{false};
  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace makespan::pgas

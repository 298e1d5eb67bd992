// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where the event helper sleeps, until one of its channels has something.
//
// A channel that another thread begins to poll is muted: what comes is that thread's, and would
// wake both, of whom the helper would often take the core on which the other waits (17 µs of a
// fetch_add over TCP that takes 33 µs). Since threads poll a channel only for as long as they
// wait, the sleep then ends by itself after a short time.

#include <atomic>
#include <chrono>
#include <list>
#include <mutex>
#include <vector>

#include "makespan/pgas/channel/wait_listener.hpp"
#include "makespan/pgas/progress/detail/descriptor.hpp"

namespace makespan::pgas {

class Sleeper {
 public:
  // How long a sleep goes on after a channel was muted.
  static constexpr std::chrono::microseconds muted_time{100};
  // The longest sleep, so that a channel that was not armed in time is not forgotten.
  static constexpr std::chrono::milliseconds longest_time{100};

  // Throws std::system_error when the process has no descriptors left, as add().
  Sleeper();

  // A channel that becomes readable at one of `descriptors`. What is returned is to be told when
  // another thread polls it, and lives as long as the sleeper. Before the first sleep.
  [[nodiscard]] WaitListener& add(std::vector<int> descriptors);

  // Blocks until a channel that is not muted has something, wake() is called, or a time is over.
  // One thread at a time.
  void sleep();
  // Ends a sleep, this one or the next. Callable from any thread.
  void wake();

 private:
  class ChannelWatch final : public WaitListener {
   public:
    ChannelWatch(Sleeper& sleeper, std::vector<int> descriptors);
    void on_wait() noexcept override;

   private:
    friend class Sleeper;
    Sleeper& sleeper_;
    std::vector<int> descriptors_;
    bool is_muted_{false};  // with the sleeper's mutex held
  };

  void watch(int descriptor);
  void set_watched(ChannelWatch const& channel, bool is_watched) const;
  void fall_asleep();
  void mute(ChannelWatch& channel);

  Descriptor epoll_;
  Descriptor alarm_;
  Descriptor timer_;
  std::mutex mutex_;
  std::list<ChannelWatch> channels_{};
  bool is_timer_set_{false};  // with the mutex held
  std::atomic<bool> is_asleep_{false};
};

}  // namespace makespan::pgas

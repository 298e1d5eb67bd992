// SPDX-License-Identifier: Apache-2.0
#pragma once

// The time that workers of a bag live in: that of the system, or a simulator's.

#include <chrono>
#include <thread>

namespace makespan::bag {

class TeamClock {
 public:
  using Clock = std::chrono::steady_clock;

  TeamClock() = default;
  TeamClock(TeamClock const&) = delete;
  TeamClock& operator=(TeamClock const&) = delete;
  virtual ~TeamClock() = default;

  [[nodiscard]] virtual Clock::time_point now() const = 0;
  // Of the calling worker.
  virtual void sleep(Clock::duration time) const = 0;
};

class SystemClock final : public TeamClock {
 public:
  [[nodiscard]] Clock::time_point now() const override { return Clock::now(); }
  void sleep(Clock::duration time) const override { std::this_thread::sleep_for(time); }
};

}  // namespace makespan::bag

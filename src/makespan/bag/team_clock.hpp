// SPDX-License-Identifier: Apache-2.0
#pragma once

// The time that workers of a bag live in, and how they wait for each other in it: those of the
// system, or a simulator's.

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

namespace makespan::bag {

// What workers wait at until another one has changed what the lock protects. Every wait may end
// for nothing: the caller looks again.
class TeamCondition {
 public:
  using Lock = std::unique_lock<std::mutex>;
  using Duration = std::chrono::steady_clock::duration;

  TeamCondition() = default;
  TeamCondition(TeamCondition const&) = delete;
  TeamCondition& operator=(TeamCondition const&) = delete;
  virtual ~TeamCondition() = default;

  virtual void wait(Lock& lock) = 0;
  // No longer than that.
  virtual void wait_for(Lock& lock, Duration time) = 0;
  virtual void notify_all() = 0;
};

class SystemCondition final : public TeamCondition {
 public:
  void wait(Lock& lock) override { condition_.wait(lock); }
  void wait_for(Lock& lock, Duration time) override { condition_.wait_for(lock, time); }
  void notify_all() override { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

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
  // Of threads, where a simulator has no workers that wait at one.
  [[nodiscard]] virtual std::unique_ptr<TeamCondition> make_condition() const {
    return std::make_unique<SystemCondition>();
  }
};

class SystemClock final : public TeamClock {
 public:
  [[nodiscard]] Clock::time_point now() const override { return Clock::now(); }
  void sleep(Clock::duration time) const override { std::this_thread::sleep_for(time); }
};

}  // namespace makespan::bag

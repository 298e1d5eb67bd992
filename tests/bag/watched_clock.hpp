// SPDX-License-Identifier: Apache-2.0
#pragma once

// A clock of the system that says when a thread waits at one of its conditions.

#include <chrono>
#include <memory>
#include <semaphore>
#include <thread>

#include "makespan/bag/team_clock.hpp"

namespace makespan::bag {

class WatchedClock final : public TeamClock {
 public:
  [[nodiscard]] Clock::time_point now() const override { return Clock::now(); }
  void sleep(Clock::duration time) const override { std::this_thread::sleep_for(time); }
  [[nodiscard]] std::unique_ptr<TeamCondition> make_condition() const override {
    return std::make_unique<Watched>(*this);
  }

  // Released by each wait that has no limit, with the lock held: who takes the lock after that
  // finds the thread asleep.
  mutable std::counting_semaphore<> waiting{0};
  // The same of each wait that has one.
  mutable std::counting_semaphore<> waiting_a_while{0};

 private:
  class Watched final : public TeamCondition {
   public:
    explicit Watched(WatchedClock const& clock) : clock_{clock} {}
    void wait(Lock& lock) override {
      clock_.waiting.release();
      condition_.wait(lock);
    }
    void wait_for(Lock& lock, Duration time) override {
      clock_.waiting_a_while.release();
      condition_.wait_for(lock, time);
    }
    void notify_all() override { condition_.notify_all(); }

   private:
    SystemCondition condition_;
    WatchedClock const& clock_;
  };
};

}  // namespace makespan::bag

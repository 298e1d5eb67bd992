// SPDX-License-Identifier: Apache-2.0
#pragma once

// A thread that waits and runs continuations, without an endpoint: what happens elsewhere is a list
// of steps, one for each round.

#include <deque>
#include <functional>
#include <stdexcept>
#include <utility>

#include "makespan/pgas/operation/future.hpp"

namespace makespan::pgas::fake {

class FakeQueue final : public ContinuationQueue {
 public:
  void wait_round(WaitState&, Awaited const& what) override {
    last_awaited = what.call;
    if (steps.empty() && deferred_.empty()) throw std::logic_error("waits for ever");
    if (!steps.empty()) {
      auto const step = std::exchange(steps.front(), nullptr);
      steps.pop_front();
      step();
    }
    run_continuations();
  }

  void defer(std::function<bool()> is_ready, std::function<void()> run) override {
    deferred_.emplace_back(std::move(is_ready), std::move(run));
  }

  void run_continuations() {
    for (std::size_t left = deferred_.size(); left > 0 && !deferred_.empty(); --left) {
      auto next = std::move(deferred_.front());
      deferred_.pop_front();
      if (next.first()) {
        next.second();
      } else {
        deferred_.push_back(std::move(next));
      }
    }
  }

  [[nodiscard]] std::size_t deferred() const { return deferred_.size(); }

  std::deque<std::function<void()>> steps{};  // what happens in the next rounds
  std::string_view last_awaited{};

 private:
  std::deque<std::pair<std::function<bool()>, std::function<void()>>> deferred_{};
};

}  // namespace makespan::pgas::fake

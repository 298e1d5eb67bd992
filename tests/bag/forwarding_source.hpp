// SPDX-License-Identifier: Apache-2.0
#pragma once

// A claim source that asks another one: for tests that look at some of the calls.

#include <cstdint>
#include <optional>
#include <span>

#include "makespan/bag/claim_source.hpp"

namespace makespan::bag {

class ForwardingSource : public ClaimSource {
 public:
  explicit ForwardingSource(ClaimSource& source) : source_{source} {}

  std::optional<Grant> claim(int worker, Seconds claim_cost) override {
    return source_.claim(worker, claim_cost);
  }
  void finish(int worker, std::span<ItemRange const> done, Seconds taken, Seconds claim) override {
    source_.finish(worker, done, taken, claim);
  }
  void forget(int worker) override { source_.forget(worker); }
  void give_back(int worker) override { source_.give_back(worker); }
  void leave(int worker) override { source_.leave(worker); }
  void take_back(int worker) override { source_.take_back(worker); }
  void give_up(int worker) override { source_.give_up(worker); }
  [[nodiscard]] Speed speed_to_go_by(int worker) override { return source_.speed_to_go_by(worker); }
  void stop() override { source_.stop(); }
  [[nodiscard]] bool complete() const override { return source_.complete(); }
  [[nodiscard]] std::int64_t claims() const override { return source_.claims(); }
  [[nodiscard]] std::int64_t steals() const override { return source_.steals(); }

 private:
  ClaimSource& source_;
};

}  // namespace makespan::bag

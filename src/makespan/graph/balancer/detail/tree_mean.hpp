// SPDX-License-Identifier: Apache-2.0
#pragma once

// The weighted mean of a number that each place has, up a tree of places and down again.

#include <cstdint>
#include <vector>

#include "makespan/graph/balancer/place_decision.hpp"

namespace makespan::graph {

// Of one place. Each place hears from at most `arity` places and the one above it, whatever their
// number. Tested by tests/graph/balancer/tree_mean_test.cpp.
class TreeMean {
 public:
  static constexpr int arity = 4;

  TreeMean(int place, int places);

  // What this place has: its number times its weight, and the weight. `kind` is that of the
  // messages.
  void begin(double weighted, double weight, std::int32_t kind, DecisionOutbox& outbox);
  void take(int from, std::vector<double> const& numbers, std::int32_t kind,
            DecisionOutbox& outbox);
  // When all messages have been taken.
  [[nodiscard]] double value() const { return value_; }

 private:
  [[nodiscard]] int above() const { return (place_ - 1) / arity; }
  void go_on(std::int32_t kind, DecisionOutbox& outbox);
  void tell_below(std::int32_t kind, DecisionOutbox& outbox) const;

  int place_;
  int places_;
  int awaited_;  // places below, and this one
  double weighted_{0.0};
  double weight_{0.0};
  double value_{0.0};
};

}  // namespace makespan::graph

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which items claim number i takes, where the chunk follows from i: the sum of the chunks before it
// says where it begins.

#include <algorithm>
#include <cstdint>

#include "makespan/bag/policy/closed_form_policy.hpp"
#include "makespan/bag/protocol/item_range.hpp"
#include "makespan/base/contracts.hpp"

namespace makespan::bag {

// For one claimant, whose claims have rising numbers: all chunks together cost it one call of
// chunk_at() each. Tested by tests/bag/protocol/step_positions_test.cpp.
class StepPositions {
 public:
  // Keeps a reference.
  StepPositions(ClosedFormPolicy const& policy, LoopFacts const& loop)
      : policy_(policy), loop_(loop) {}

  // Empty, at the end of the loop, when the claims before it have taken all.
  [[nodiscard]] ItemRange at(std::int64_t step) {
    MAKESPAN_EXPECT(step >= step_);
    ItemRange items{begin_, begin_};
    for (; step_ <= step && items.begin < loop_.items; ++step_) {
      items.begin = begin_;
      items.end = std::min(begin_ + policy_.chunk_at(loop_, step_), loop_.items);
      begin_ = items.end;
    }
    if (step_ <= step) return {loop_.items, loop_.items};
    return items;
  }

 private:
  ClosedFormPolicy const& policy_;
  LoopFacts loop_;
  std::int64_t step_{0};   // the next one
  std::int64_t begin_{0};  // where it begins
};

}  // namespace makespan::bag

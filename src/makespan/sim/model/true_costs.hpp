// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the items of a bag really cost, which predictions may miss.

#include <cstdint>
#include <span>
#include <vector>

#include "makespan/bag/protocol/bag.hpp"
#include "makespan/bag/protocol/item_range.hpp"
#include "makespan/base/quantity.hpp"

namespace makespan::sim {

// In the bag's order. Tested by tests/sim/model/true_costs_test.cpp.
class TrueCosts {
 public:
  // By task id, how many times as much as predicted its items cost; 1 for those beyond the end.
  explicit TrueCosts(bag::Bag const& bag, std::span<double const> factors = {});

  [[nodiscard]] Work work_before(std::int64_t items) const;
  [[nodiscard]] Work work_of(bag::ItemRange range) const {
    return work_before(range.end) - work_before(range.begin);
  }
  [[nodiscard]] Work work() const { return work_bounds_.back(); }
  // The item that is at hand when so much of all is done; all items when all is.
  [[nodiscard]] std::int64_t item_at(Work done) const;

  [[nodiscard]] bag::Bag const& bag() const { return bag_; }

 private:
  bag::Bag const& bag_;
  std::vector<Work> each_{};         // of an item, by segment
  std::vector<Work> work_bounds_{};  // before each segment, and of all
};

}  // namespace makespan::sim

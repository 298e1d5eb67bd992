// SPDX-License-Identifier: Apache-2.0
#pragma once

// How fast each worker is, learned from the chunks that it has finished.

#include <span>
#include <vector>

#include "makespan/base/quantity.hpp"

namespace makespan::bag {

// In place of the speed of a worker that is there no more.
inline constexpr Speed speed_of_the_gone{-1.0};

// Of all workers. One that is not measured (0) counts as the fastest that is: a sum that is too
// high makes chunks small, one that is too low lets a slow worker take more than its share. 0 when
// none is measured.
[[nodiscard]] Speed speed_together(std::span<Speed const> speeds);

// Speed is work over time, both summed with older chunks counting less: a chunk that is k chunks
// old counts memory^k. Sums rather than a mean of speeds, so that a tiny last chunk, whose time is
// mostly noise, counts little. A value: a table may outlive the bag that filled it, and the next
// bag then needs no learning phase. Tested by tests/bag/protocol/speed_table_test.cpp.
class SpeedTable {
 public:
  // What is left of a chunk's weight after one more. At 0.7 the last three or four chunks decide,
  // and after ten equally long ones 3 % of an older speed remains.
  static constexpr double memory = 0.7;

  explicit SpeedTable(int workers);

  // Counts a finished chunk. One without work, or too short for the clock, tells nothing and is
  // left out.
  void record(int worker, Work work, Seconds taken);

  [[nodiscard]] int workers() const { return static_cast<int>(records_.size()); }
  [[nodiscard]] bool measured(int worker) const;

  // 0 when not measured.
  [[nodiscard]] Speed speed(int worker) const;

  // speed_together() of all workers.
  [[nodiscard]] Speed total() const { return total_; }

 private:
  struct Record {
    Work work;  // weighted sums; 0 if nothing was recorded
    Seconds taken;
  };

  [[nodiscard]] Record const& at(int worker) const;

  std::vector<Record> records_;
  std::vector<Speed> speeds_;
  Speed total_;
};

}  // namespace makespan::bag

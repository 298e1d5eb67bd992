// SPDX-License-Identifier: Apache-2.0
#pragma once

// How fast each worker is, learned from the chunks that it has finished, or remembered from an
// earlier run until then.

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

  // What a remembered speed weighs: as one chunk of this length, the shortest that equal_time hands
  // out. Whatever is measured weighs more. With a speed v remembered, the first chunk of work W in
  // time t makes it
  //
  //     (memory v l + W) / (memory l + t),   l = remembered_length.
  //
  // If v is k times too high, a chunk that was to take l takes k l, and the speed is at most
  // 1 + memory times too high after it, for any k. If v is too low, chunks are short and follow
  // each other the faster.
  static constexpr Seconds remembered_length{5e-5};

  explicit SpeedTable(int workers);

  // From now on the worker counts as measured, at this speed (above 0, finite). Expects that
  // nothing is recorded of it.
  void remember(int worker, Speed speed);

  // Counts a finished chunk. One without work, or too short for the clock, tells nothing and is
  // left out.
  void record(int worker, Work work, Seconds taken);

  [[nodiscard]] int workers() const { return static_cast<int>(records_.size()); }
  [[nodiscard]] bool measured(int worker) const;

  // 0 when not measured.
  [[nodiscard]] Speed speed(int worker) const;

  // The same, but 0 also while it is only remembered: for what must not rely on that.
  [[nodiscard]] Speed speed_seen(int worker) const;

  // speed_seen(), or where it is 0 that of the slowest worker that was seen; 0 if none was.
  [[nodiscard]] Speed speed_to_go_by(int worker) const;

  // All that was recorded of a worker, old and new alike. What is worth remembering: the last
  // chunks of a bag are the shortest.
  struct Total {
    Work work;
    Seconds taken;
  };
  [[nodiscard]] Total total_of(int worker) const { return at(worker).total; }

  // speed_together() of all workers.
  [[nodiscard]] Speed total() const { return total_; }

 private:
  struct Record {
    Work work;  // weighted sums; 0 if nothing was recorded or remembered
    Seconds taken;
    Total total;
  };

  [[nodiscard]] Record const& at(int worker) const;
  void add(int worker, Work work, Seconds taken);

  std::vector<Record> records_;
  std::vector<Speed> speeds_;
  Speed total_;
};

}  // namespace makespan::bag

// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a worker gets through a chunk: what it has finished, has begun and has not begun at any time,
// without an event for each piece. Thieves may take its tail, and its speed may change.

#include <cstdint>

#include "makespan/bag/protocol/item_range.hpp"
#include "makespan/bag/protocol/mode.hpp"
#include "makespan/bag/protocol/steal_choice.hpp"
#include "makespan/base/quantity.hpp"
#include "makespan/sim/model/true_costs.hpp"

namespace makespan::sim {

// What a worker does in a second, as this chunk has it.
struct Pace {
  Speed speed{};        // work per second, launches included
  Seconds start{};      // before the first item: of the chunk, and of a launch
  Seconds piece{5e-4};  // what it begins at once takes about so long
  bag::Mode mode{};     // in mode mo a piece is a whole task
};

// A value. Times are of one clock, and never go back from call to call. Tested by
// tests/sim/model/chunk_course_test.cpp.
class ChunkCourse {
 public:
  // Keeps a reference.
  ChunkCourse(TrueCosts const& costs, bag::ItemRange items, Pace const& pace, Seconds now);

  [[nodiscard]] bag::ItemRange items() const { return items_; }
  // When it will be through if nothing happens; never at a speed of 0.
  [[nodiscard]] Seconds end() const;
  // When it will be through with the piece at hand, likewise.
  [[nodiscard]] Seconds piece_end(Seconds now) const;
  // The first item that is not finished.
  [[nodiscard]] std::int64_t reached(Seconds now) const;
  // The items that are not begun: behind the current piece.
  [[nodiscard]] bag::ItemRange not_begun(Seconds now) const;
  // As others see it, with the speed that they know.
  [[nodiscard]] bag::WorkerView view(Seconds now, Speed known) const;

  // From now on it has another speed.
  void change_speed(Seconds now, Speed speed);
  // Whether the tail was still there to be taken; it is not this worker's any more.
  bool take_tail(Seconds now, bag::ItemRange tail);
  // Nothing behind the piece at hand is its any more.
  void take_all(Seconds now);

 private:
  [[nodiscard]] Seconds when(std::int64_t items) const;
  [[nodiscard]] Work done(Seconds now) const;  // of the whole bag's, up to where it is
  [[nodiscard]] bag::ItemRange piece_at(Seconds now) const;

  TrueCosts const* costs_;
  bag::ItemRange items_;
  Pace pace_;
  Work piece_;  // as it was thought at the beginning: pieces stay as large when its speed changes
  Seconds since_;  // from when on it has this speed
  Work before_;    // of the whole bag's, done at that time
  Speed speed_before_;
};

}  // namespace makespan::sim

// SPDX-License-Identifier: Apache-2.0
#pragma once

// What workers publish: the range that each has claimed and not begun, and what it is at.
//
// Owners take pieces from the front, thieves the tail, all by compare-exchange (range_word.hpp).

#include <atomic>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "makespan/bag/protocol/item_range.hpp"
#include "makespan/bag/protocol/range_word.hpp"
#include "makespan/bag/protocol/steal_choice.hpp"
#include "makespan/base/quantity.hpp"

namespace makespan::bag {

// Every function may be called from any thread, none blocks or allocates. Tested by
// tests/bag/worker_board_test.cpp.
class WorkerBoard {
 public:
  using Clock = std::chrono::steady_clock;

  // A cache line each: owners write often. Zero at first.
  struct alignas(64) Entry {
    std::atomic<std::uint64_t> range{0};
    std::atomic<double> begun{0.0};
    std::atomic<Clock::rep> since{0};
  };

  explicit WorkerBoard(int workers)
      : own_(static_cast<std::size_t>(workers)), entries_(own_.data()) {}
  // On memory of the caller, which outlives it: it may be shared with other processes.
  explicit WorkerBoard(Entry* entries) : entries_(entries) {}
  WorkerBoard(WorkerBoard const&) = delete;
  WorkerBoard& operator=(WorkerBoard const&) = delete;

  // Before a bag: the worker holds nothing, and is at nothing.
  void clear(int worker);

  // Of the owner: `range`, all that it holds, is not begun.
  void publish(int worker, ItemRange range);

  // Of the owner: takes the first of what is not begun, as many as `wanted(range)` says, which is 1
  // at least and may be asked again when a thief was quicker. Empty when nothing is left.
  template <std::invocable<ItemRange> Wanted>
  ItemRange take_front(int worker, Wanted&& wanted);

  // For the owner, or for the thread that gives it up: takes all that is left, so that no thief
  // does.
  ItemRange take_all(int worker);

  // Of a thief: takes `tail`, if the victim still has it.
  bool take_tail(int victim, ItemRange tail);

  // Of the owner: it begins an item, or several, of that predicted cost; 0 when it ends.
  void begin_piece(int worker, Work work, Clock::time_point now);
  void end_piece(int worker) { at(worker).begun.store(0.0, std::memory_order_relaxed); }

  // What others see. The parts are read one after the other: an estimate.
  [[nodiscard]] WorkerView view(int worker, Speed speed, Clock::time_point now) const;
  [[nodiscard]] ItemRange not_begun(int worker) const { return range_of(at(worker)); }

 private:
  [[nodiscard]] Entry& at(int worker) { return entries_[worker]; }
  [[nodiscard]] Entry const& at(int worker) const { return entries_[worker]; }
  [[nodiscard]] static ItemRange range_of(Entry const& entry) {
    return RangeWord(entry.range.load(std::memory_order_acquire)).range();
  }

  std::vector<Entry> own_{};  // empty if the entries are the caller's
  Entry* entries_;            // by worker
};

template <std::invocable<ItemRange> Wanted>
ItemRange WorkerBoard::take_front(int worker, Wanted&& wanted) {
  auto& word = at(worker).range;
  std::uint64_t seen = word.load(std::memory_order_acquire);
  for (;;) {
    ItemRange const range = RangeWord(seen).range();
    if (range.empty()) return {};
    ItemRange const piece{range.begin, range.begin + wanted(range)};
    std::uint64_t const rest = RangeWord::of({piece.end, range.end}).bits();
    if (word.compare_exchange_weak(seen, rest, std::memory_order_acq_rel)) return piece;
  }
}

}  // namespace makespan::bag

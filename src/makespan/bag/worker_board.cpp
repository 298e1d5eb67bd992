// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/worker_board.hpp"

#include "makespan/base/contracts.hpp"

namespace makespan::bag {

void WorkerBoard::clear(int worker) {
  take_all(worker);
  end_piece(worker);
}

void WorkerBoard::publish(int worker, ItemRange range) {
  // A plain store: the owner holds nothing, so the word is empty, and no thief changes it then.
  at(worker).range.store(RangeWord::of(range).bits(), std::memory_order_release);
}

ItemRange WorkerBoard::take_all(int worker) {
  // By an exchange: owner and thieves go on changing the word meanwhile.
  return RangeWord(at(worker).range.exchange(0, std::memory_order_acq_rel)).range();
}

bool WorkerBoard::take_tail(int victim, ItemRange tail) {
  MAKESPAN_EXPECT(tail.begin < tail.end);
  auto& word = at(victim).range;
  std::uint64_t seen = word.load(std::memory_order_acquire);
  for (;;) {
    ItemRange const range = RangeWord(seen).range();
    // It must still be the tail: another thief may have taken of it, or the victim have begun it.
    if (range.empty() || range.end != tail.end || range.begin > tail.begin) return false;
    std::uint64_t const rest = RangeWord::of({range.begin, tail.begin}).bits();
    if (word.compare_exchange_weak(seen, rest, std::memory_order_acq_rel)) return true;
  }
}

void WorkerBoard::begin_piece(int worker, Work work, Clock::time_point now) {
  // Without order between the two: thieves only reckon by them. Who has which item is in the range
  // word alone.
  at(worker).since.store(now.time_since_epoch().count(), std::memory_order_relaxed);
  at(worker).begun.store(work.value(), std::memory_order_relaxed);
}

WorkerView WorkerBoard::view(int worker, Speed speed, Clock::time_point now) const {
  Entry const& entry = at(worker);
  WorkerView view{.not_begun = range_of(entry),
                  .begun = Work{entry.begun.load(std::memory_order_relaxed)},
                  .speed = speed};
  if (view.begun > Work{0.0}) {
    Clock::duration const since{now.time_since_epoch().count() -
                                entry.since.load(std::memory_order_relaxed)};
    view.since = Seconds{std::chrono::duration<double>(since).count()};
  }
  return view;
}

}  // namespace makespan::bag

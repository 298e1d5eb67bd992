// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tail stealing: from whom an idle worker takes, and how much.
//
// When nothing is left to claim, what counts is who ends last. The thief looks at what each worker
// has published (range_word.hpp) and takes, from the one that would end last, the tail that makes
// both end together at their present speeds:
//
//   now + claim + x / r_thief = now + rest + (W - x) / r_victim
//
// with W the work that the victim has not begun, `rest` the time that it still needs for what it
// has begun, and x what the thief takes.

#include <cstdint>
#include <optional>
#include <span>

#include "makespan/bag/protocol/bag.hpp"
#include "makespan/bag/protocol/item_range.hpp"
#include "makespan/base/quantity.hpp"

namespace makespan::bag {

// A worker as others see it.
struct WorkerView {
  ItemRange not_begun{};  // what it holds and has not begun
  Work begun{};           // what it is at: predicted cost, 0 if nothing
  Seconds since{};        // for how long
  Speed speed{};          // as measured before; 0 if it has not been
};

struct Thief {
  int worker{};
  Speed speed{};  // 0 if it has not been measured
  Seconds claim_cost{};
  bool whole_tasks{};  // takes no part of a task (mode mo)
};

// `items` is the tail of what `victim` has not begun.
struct StealChoice {
  int victim{};
  ItemRange items{};
};

// Seconds that a worker needs for `work`, of which it has the item at hand for `since`. One that
// takes longer for that than its speed says is as slow as it shows. Infinite if nothing is known.
[[nodiscard]] Seconds time_left(WorkerView const& view, Work not_begun);

// What the thief should take, nothing if nothing makes an earlier end. `workers` is by index; the
// thief's own entry is passed over. A thief that was never measured takes one item. A victim that
// has begun nothing is about to, and keeps one item: otherwise two workers could take a range from
// each other for ever. O(workers), plus O(log n) for n tasks for each worker that has something.
[[nodiscard]] std::optional<StealChoice> choose_steal(Bag const& bag,
                                                      std::span<WorkerView const> workers,
                                                      Thief const& thief);

}  // namespace makespan::bag

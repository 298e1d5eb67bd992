// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a thread runs between two looks at the board, and what a thief cannot take any more.

#include <cstdint>
#include <limits>

#include "makespan/base/quantity.hpp"

namespace makespan::bag {

// How the threads of a device cut pieces from what they hold. As it stands, that of a CPU: a piece
// is of one task, and so short that a device which slows to a tenth is late by 5 ms; yet far longer
// than a look.
//
// A device that takes its pieces as launches has a cost `a` of each, whatever is in it, and is full
// only from many items on: its pieces are longer, and go over tasks (ItemRunner::run_all()). The
// model of its time is a + work / speed. While one of its threads waits for a launch another can
// claim the next.
struct PieceRule {
  Seconds time{5e-4};         // a piece takes, about
  std::int64_t items_min{1};  // but has so many items, where there are as many
  std::int64_t items_max{std::numeric_limits<std::int64_t>::max()};
  Seconds cost{};  // of a piece, besides its items
  bool spans_tasks{};
};

}  // namespace makespan::bag

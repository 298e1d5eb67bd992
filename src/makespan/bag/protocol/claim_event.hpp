// SPDX-License-Identifier: Apache-2.0
#pragma once

// What can happen to a bag that is being worked on, and what is to be done about it.

#include <variant>

#include "makespan/bag/protocol/item_range.hpp"
#include "makespan/base/quantity.hpp"

namespace makespan::bag {

// A worker that holds nothing wants items.
struct Ask {
  int worker{};
  Seconds claim_cost{};  // what one claim costs this worker, as far as its driver knows; a launch
                         // included
};

// A worker has finished items: all that it held, or the first part of them, or (when it was given
// up too early) items that are no longer its own.
struct Finish {
  int worker{};
  ItemRange items{};
  Seconds taken{};  // of the worker's own time; 0 when not measured
  Seconds claim{};  // before that, from asking to the first item; 0 when not measured
};

// The same, but what came of these items was thrown away: another worker had finished some of them
// before. Those that are not finished go back.
struct Drop {
  int worker{};
  ItemRange items{};
};

// A worker is given up, or gives up: what it holds goes back. It may ask again.
struct Fail {
  int worker{};
};

// A worker that holds nothing has taken the last items of what another one holds: those that the
// other had not begun (steal_choice.hpp).
struct Steal {
  int thief{};
  int victim{};
  ItemRange items{};
};

// Nothing is handed out from now on.
struct Stop {};

using ClaimEvent = std::variant<Ask, Finish, Drop, Fail, Steal, Stop>;

// The answer to Ask; `none` after every other event.
enum class Order {
  none,
  run,    // run `items`, then tell Finish or Fail
  wait,   // nothing can be claimed now, but may be later: ask again after the next wake
  leave,  // nothing will be left to claim: all is finished, or stopped
};

struct ClaimActions {
  Order order{Order::none};
  ItemRange items{};  // empty unless the order is `run`
  bool wake{};        // all workers that were told to wait must ask again
};

}  // namespace makespan::bag

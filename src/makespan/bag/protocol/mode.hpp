// SPDX-License-Identifier: Apache-2.0
#pragma once

// The modes: how a chunk of items falls on whole tasks. No result depends on the mode, only the
// time does.

#include <span>
#include <string_view>

#include "makespan/bag/protocol/bag.hpp"
#include "makespan/bag/protocol/item_range.hpp"

namespace makespan::bag {

enum class Mode {
  automatic,  // whole tasks while a chunk holds at least one; parts of a task when chunks have
              // become smaller
  mt,         // one task at a time on all workers; none starts the next before this one is finished
  mo,         // whole tasks only, each on one worker
};

// One mode as users name it; command line, file format and documentation are fed from here.
struct ModeEntry {
  Mode mode;
  std::string_view name;
  std::string_view summary;
};

// All modes, the default first.
[[nodiscard]] std::span<ModeEntry const> modes();

// The mode of that name. Throws InputError, which names the nearest.
[[nodiscard]] Mode mode_named(std::string_view name);

// The items that a claim takes when the policy wants `wanted`, a range that is not empty, and
// `free` begins like `wanted` and is all that may be claimed in one piece. The answer begins there
// too, is not empty and stays in `free`.
//
// automatic: back to the last end of a task inside `wanted`, if there is one. mt: as wanted (`free`
// is one task then). mo: likewise back to the last end of a task, or on to the end of the first
// task when `wanted` holds none.
[[nodiscard]] ItemRange snapped(Mode mode, Bag const& bag, ItemRange wanted, ItemRange free);

}  // namespace makespan::bag

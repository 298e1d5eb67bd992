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
  automatic,  // each thread claims for itself: whole tasks while a chunk holds at least one; parts
              // of a task when chunks have become smaller
  mt,         // the device claims, and lays one task at a time on all its threads; none starts the
              // next before this one is finished
  mo,         // each thread claims for itself, whole tasks only
  mth,        // the device claims, and lays one task on each thread while it holds as many as
              // threads, then one at a time on all
};

// Whether a device of this mode claims as one, and divides what it gets among its threads.
[[nodiscard]] constexpr bool claims_as_one(Mode mode) {
  return mode == Mode::mt || mode == Mode::mth;
}

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

[[nodiscard]] std::string_view name_of(Mode mode);

// The items that a claim takes when the policy wants `wanted`, a range that is not empty, and
// `free` begins like `wanted` and is all that may be claimed in one piece. The answer begins there
// too, is not empty and stays in `free`.
//
// Back to the last end of a task inside `wanted`; if there is none, as wanted, and in mode mo on to
// the end of the first task.
[[nodiscard]] ItemRange snapped(Mode mode, Bag const& bag, ItemRange wanted, ItemRange free);

}  // namespace makespan::bag

// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/protocol/mode.hpp"

#include <algorithm>
#include <array>

#include "makespan/base/contracts.hpp"
#include "makespan/base/named_entry.hpp"

namespace makespan::bag {

namespace {

constexpr std::array<ModeEntry, 4> entries{{
    {Mode::automatic, "auto", "whole tasks while many remain, parts of tasks at the end (default)"},
    {Mode::mt, "mt", "one task at a time on all threads of a device"},
    {Mode::mo, "mo", "one task on each thread"},
    {Mode::mth, "mth", "one task on each thread while a device has that many, then as mt"},
}};

}  // namespace

std::span<ModeEntry const> modes() {
  return entries;
}

Mode mode_named(std::string_view name) {
  return entry_named("mode", modes(), name).mode;
}

std::string_view name_of(Mode mode) {
  auto const found = std::ranges::find(entries, mode, &ModeEntry::mode);
  MAKESPAN_ASSERT(found != entries.end());
  return found->name;
}

ItemRange snapped(Mode mode, Bag const& bag, ItemRange wanted, ItemRange free) {
  MAKESPAN_EXPECT(!wanted.empty());
  MAKESPAN_EXPECT(wanted.begin == free.begin && wanted.end <= free.end);
  ItemRange const last_task = bag.segment_items(bag.segment_of(wanted.end - 1));
  if (last_task.end == wanted.end) return wanted;
  // Whole tasks while the chunk reaches beyond one: then no other thread sets up the same task.
  if (last_task.begin > wanted.begin) return {wanted.begin, last_task.begin};
  // Chunks have become shorter than a task: several threads share it, but in mode mo.
  if (mode != Mode::mo) return wanted;
  return {wanted.begin, std::min(last_task.end, free.end)};
}

}  // namespace makespan::bag

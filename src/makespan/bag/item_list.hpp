// SPDX-License-Identifier: Apache-2.0
#pragma once

// A list of items as a bag.

#include <cstdint>
#include <span>

#include "makespan/bag/protocol/bag.hpp"
#include "makespan/base/ids.hpp"

namespace makespan::bag {

// Items 0 … items-1. With costs, one for each, any unit, above 0 and finite: each is a task of its
// own, the dearest first; without: they are one task. Throws InputError that names the item. Tested
// by tests/bag/item_list_test.cpp.
[[nodiscard]] Bag bag_of_items(std::int64_t items, std::span<double const> costs);

// The index of an item of such a bag.
[[nodiscard]] inline std::int64_t index_of(bool has_costs, TaskId task, std::int64_t item) {
  return has_costs ? task.value() : item;
}

}  // namespace makespan::bag

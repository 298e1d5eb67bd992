// SPDX-License-Identifier: Apache-2.0
#pragma once

// From a policy's answer to items: what a claim takes of what is free.

#include <cstdint>

#include "makespan/bag/policy/chunk_policy.hpp"
#include "makespan/bag/protocol/bag.hpp"
#include "makespan/bag/protocol/item_range.hpp"
#include "makespan/bag/protocol/mode.hpp"

namespace makespan::bag {

// The loop that policies cut a bag as.
[[nodiscard]] LoopFacts loop_of(Bag const& bag, int workers);

// The first items of `free`, which is not empty: as many as `size` says, where the mode lets a
// chunk end, and no more than fit a range word. Never empty.
[[nodiscard]] ItemRange chunk_range(Bag const& bag, ChunkSize const& size, Mode mode,
                                    ItemRange free);

}  // namespace makespan::bag

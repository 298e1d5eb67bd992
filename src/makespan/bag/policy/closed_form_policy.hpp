// SPDX-License-Identifier: Apache-2.0
#pragma once

// A policy whose chunk follows from the number of the claim.
//
// A worker that knows the number can compute the chunk, and where it begins: the sum of the chunks
// before. So dispatchers share only a counter, and a claim is one fetch-and-add on it.

#include <algorithm>
#include <cstdint>

#include "makespan/bag/policy/chunk_policy.hpp"

namespace makespan::bag {

// That nothing else decides is in the signature of chunk_at(). The registry tells which policies
// are of this kind. Tested by tests/bag/policy/closed_form_policy_test.cpp, on the whole registry.
class ClosedFormPolicy : public ChunkPolicy {
 public:
  // Items that claim number `step` of a loop takes, from 0 on: 1 to all of the loop. What is left
  // may be less, and is taken then. Callable from several threads at once.
  [[nodiscard]] virtual std::int64_t chunk_at(LoopFacts const& loop, std::int64_t step) const = 0;

  [[nodiscard]] ChunkSize next_chunk(ChunkRequest const& request) final {
    return ChunkSize::of_items(std::min(chunk_at(request.loop, request.step), request.items_left));
  }
};

}  // namespace makespan::bag

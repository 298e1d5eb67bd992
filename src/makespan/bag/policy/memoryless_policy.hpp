// SPDX-License-Identifier: Apache-2.0
#pragma once

// A policy that keeps nothing: its chunk is a function of what is left and of the worker.
//
// A worker that knows these can cut the chunk itself. So workers on several images share only a
// cursor, and a claim is one read of it and one compare-exchange.

#include "makespan/bag/policy/chunk_policy.hpp"

namespace makespan::bag {

// That nothing else decides is in the signature of chunk_for(). The registry tells which policies
// are of this kind. Tested by tests/bag/policy/memoryless_policy_test.cpp, on the whole registry.
class MemorylessPolicy : public ChunkPolicy {
 public:
  // As next_chunk(). Callable from several threads at once.
  [[nodiscard]] virtual ChunkSize chunk_for(ChunkRequest const& request) const = 0;

  [[nodiscard]] ChunkSize next_chunk(ChunkRequest const& request) final {
    return chunk_for(request);
  }
};

}  // namespace makespan::bag

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Drives a claim machine in virtual time with workers of given speeds, as a simulator or a team of
// threads would.

#include <cstdint>
#include <limits>
#include <vector>

#include "makespan/bag/policy/chunk_policy.hpp"
#include "makespan/bag/protocol/bag.hpp"
#include "makespan/bag/protocol/claim_machine.hpp"
#include "makespan/bag/protocol/mode.hpp"
#include "makespan/base/quantity.hpp"

namespace makespan::bag {

inline constexpr Seconds never{std::numeric_limits<double>::infinity()};

struct VirtualWorker {
  Speed speed{1.0};
  Seconds launch{};  // before each chunk
  Seconds dies_at{never};
  Seconds slows_at{never};
  double slow_factor{1.0};  // of the speed, after slows_at
};

struct VirtualRun {
  Seconds makespan;               // when the last item was finished
  Seconds bound;                  // all work over all speeds, as if no worker slowed or died
  std::vector<ItemRange> claims;  // in the order in which they were handed out
  std::int64_t steals{};
  bool complete{};
};

// With stealing workers also tell what they have finished of a chunk when they die, as teams do all
// the time.
struct VirtualStealing {
  bool is_on{};
  Seconds look_again{};  // after which a worker that found nothing looks again
};

// A death is noticed at once. Everyone asks for the first time at time 0, in the order given.
VirtualRun run_in_virtual_time(Bag const& bag, Mode mode, ChunkPolicy& policy,
                               std::vector<VirtualWorker> const& workers, Seconds claim_cost,
                               VirtualStealing const& stealing = {});

}  // namespace makespan::bag

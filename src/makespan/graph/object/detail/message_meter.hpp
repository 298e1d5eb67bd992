// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a message between two objects costs, by sending some: with the same methods, mailboxes and
// transport as those of any program.

#include <span>
#include <vector>

#include "makespan/base/quantity.hpp"
#include "makespan/graph/message_classes.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::graph {

// Of each pair of places, one after the other, again and again until `budget` is over, but the pair
// under way is completed:
//
//   latency   half of a round trip of 16 bytes; the least of the passes
//   send      of some thousand messages of 16 bytes to a place that is busy, each of the sender's
//             time
//   receive   the same messages, each of the receiver's time, when it is no longer busy
//   byte      the same with messages of 64 KiB, which the receiver reads once, less `receive`;
//             between hosts by the sender's wall clock, from the first of them until it hears that
//             all have come
//
// The last three are medians of the passes. A link that lets a burst through faster than what comes
// after it (a token bucket, buffers of the network) looks faster by that burst over 2 MiB.
//
// Threads of this image are tied to `cpus`, -1: not. Pairs that nothing was measured of have a
// MessageCost that is not known. Collective over the job; blocks. Throws as ObjectWorld::run_all().
// Tested by tests/graph/object/message_meter_test.cpp.
[[nodiscard]] std::vector<MessageCost> metered_all(pgas::Runtime& runtime,
                                                   std::vector<int> const& cpus,
                                                   std::span<ThreadPair const> pairs,
                                                   Seconds budget);

}  // namespace makespan::graph

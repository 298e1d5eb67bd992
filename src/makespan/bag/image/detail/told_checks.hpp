// SPDX-License-Identifier: Apache-2.0
#pragma once

// What other images tell image 0 of a bag, as it must be before it counts: a message may come from
// an image of another program, or damaged.

#include "makespan/bag/dispatch/image_roster.hpp"
#include "makespan/bag/image/detail/image_outcome.hpp"
#include "makespan/bag/policy/chunk_policy.hpp"

namespace makespan::bag {

// Each throws InputError; numbers of workers and images must be in range. Tested by
// tests/bag/image/completion_server_messages_test.cpp.

// What a worker says of itself when it asks.
void expect_sound(WorkerFacts const& worker);

// What it says of a chunk of such a loop.
void expect_sound(ChunkReport const& report, LoopFacts const& loop);

// What an image says of its part when that has ended.
void expect_fits(ImageRoster const& roster, int image, ImageOutcome const& outcome);

}  // namespace makespan::bag

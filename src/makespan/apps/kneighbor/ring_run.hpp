// SPDX-License-Identifier: Apache-2.0
#pragma once

// The benchmark from beginning to end, on the images of a job.

#include <cstdint>
#include <vector>

#include "makespan/apps/kneighbor/detail/talker.hpp"
#include "makespan/apps/kneighbor/settings.hpp"
#include "makespan/graph/object/object_host.hpp"
#include "makespan/graph/object/phase_log.hpp"

namespace makespan::kneighbor {

// What it adds is the same on all images.
struct Outcome : graph::RunFacts {
  Tally tally{};  // of all objects
  // By object, what its work came to.
  std::vector<std::uint64_t> work{};
};

// Collective over the job; blocks. The world is one of this run, or of more; in virtual time, too.
// All messages of messages_of() come, whole, for all images, threads, maps and moves.
// Throws InputError on invalid or inconsistent settings or options, and what ObjectWorld::run_all()
// throws. Tested by tests/apps/kneighbor/ring_run_test.cpp.
[[nodiscard]] Outcome run_all(graph::ObjectHost& world, Settings const& settings);

}  // namespace makespan::kneighbor

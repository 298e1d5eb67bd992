// SPDX-License-Identifier: Apache-2.0
#pragma once

// The benchmark from beginning to end, on the images of a job.

#include <cstdint>
#include <vector>

#include "makespan/apps/kneighbor/detail/talker.hpp"
#include "makespan/apps/kneighbor/settings.hpp"
#include "makespan/graph/object/machine_use.hpp"
#include "makespan/graph/object/object_host.hpp"
#include "makespan/graph/object/object_program.hpp"
#include "makespan/graph/object/world_plan.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::kneighbor {

struct Outcome {
  // By phase; on image 0, empty on others.
  std::vector<graph::PhaseReport> reports{};
  // From the beginning of the first phase to the end of the last, with all that is between phases
  // [s]; on image 0, else 0.
  double total_s{0.0};

  // The rest is the same on all images.

  graph::MachineFacts machine{};
  Tally tally{};  // of all objects
  // By object, what its work came to.
  std::vector<std::uint64_t> work{};
};

// Collective over the job; blocks. The runtime is not used by others meanwhile. `options` are
// those of the world of objects, with as many threads as the runtime has; phases of the run are
// filled in. All messages of messages_of() come, whole, for all images, threads, maps and moves.
// Throws InputError on invalid or inconsistent settings or options, and what ObjectWorld::run_all()
// throws. Tested by tests/apps/kneighbor/ring_run_test.cpp.
[[nodiscard]] Outcome run_all(pgas::Runtime& runtime, graph::WorldOptions options,
                              Settings const& settings);
// The same in a world that is there, to which collections are added: in virtual time, too.
[[nodiscard]] Outcome run_all(graph::ObjectHost& world, Settings const& settings);

}  // namespace makespan::kneighbor

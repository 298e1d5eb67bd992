// SPDX-License-Identifier: Apache-2.0
#pragma once

// The benchmark from beginning to end, on the images of a job.

#include <cstdint>
#include <optional>
#include <vector>

#include "makespan/apps/stencil4d/settings.hpp"
#include "makespan/graph/object/machine_use.hpp"
#include "makespan/graph/object/object_host.hpp"
#include "makespan/graph/object/object_program.hpp"
#include "makespan/graph/object/world_plan.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::stencil4d {

struct Outcome {
  // By phase; on image 0, empty on others.
  std::vector<graph::PhaseReport> reports{};
  // From the beginning of the first phase to the end of the last, with all that is between phases
  // [s]; on image 0, else 0.
  double total_s{0.0};

  // The rest is the same on all images.

  graph::MachineFacts machine{};
  // Of the values of each block, by block: fnv1a of their bytes.
  std::vector<std::uint64_t> checksums{};
  // Of all values, blocks in order. Steps keep it, but for rounding, where no face is reset.
  double sum_first{0.0};
  double sum_last{0.0};
  // How far a value is at most from what theory says; nothing where theory says nothing, which is
  // of random values and where faces are reset.
  std::optional<double> deviation_max{};
  std::int64_t faces{0};   // messages with faces that came: 8 a block and step
  double face_bytes{0.0};  // of their values
};

// Collective over the job; blocks. The runtime is not used by others meanwhile. `options` are
// those of the world of objects, with as many threads as the runtime has; phases of the run are
// filled in. The values are the same to the last bit for all images, threads, maps and moves.
// Throws InputError on invalid or inconsistent settings or options, and what ObjectWorld::run_all()
// throws. Tested by tests/apps/stencil4d/stencil_run_test.cpp.
[[nodiscard]] Outcome run_all(pgas::Runtime& runtime, graph::WorldOptions options,
                              Settings const& settings);
// The same in a world that is there, to which collections are added: in virtual time, too.
[[nodiscard]] Outcome run_all(graph::ObjectHost& world, Settings const& settings);

}  // namespace makespan::stencil4d

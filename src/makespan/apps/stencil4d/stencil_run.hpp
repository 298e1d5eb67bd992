// SPDX-License-Identifier: Apache-2.0
#pragma once

// The benchmark from beginning to end, on the images of a job.

#include <cstdint>
#include <optional>
#include <vector>

#include "makespan/apps/stencil4d/settings.hpp"
#include "makespan/graph/object/object_host.hpp"
#include "makespan/graph/object/phase_log.hpp"

namespace makespan::stencil4d {

// What it adds is the same on all images.
struct Outcome : graph::RunFacts {
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

// Collective over the job; blocks. The world is one of this run, or of more; in virtual time, too.
// The values are the same to the last bit for all images, threads, maps and moves.
// Throws InputError on invalid or inconsistent settings or options, and what ObjectWorld::run_all()
// throws. Tested by tests/apps/stencil4d/stencil_run_test.cpp.
[[nodiscard]] Outcome run_all(graph::ObjectHost& world, Settings const& settings);

}  // namespace makespan::stencil4d

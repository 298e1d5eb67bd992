// SPDX-License-Identifier: Apache-2.0
#pragma once

// A melt on all places of a job.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "makespan/apps/melt/objects/detail/recorder.hpp"
#include "makespan/apps/melt/settings.hpp"
#include "makespan/apps/melt/thermo.hpp"
#include "makespan/base/digest.hpp"
#include "makespan/graph/object/initial_map.hpp"
#include "makespan/graph/object/object_host.hpp"
#include "makespan/graph/object/object_program.hpp"
#include "makespan/graph/object/world_options.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::melt {

struct MeltOptions {
  graph::WorldOptions world{};
  std::string isa{"auto"};       // as Kernels::named()
  std::int64_t phase_steps{20};  // from one look at loads to the next; 1 … steps_max
  std::int64_t frame_steps{0};   // a frame every so often, the first and the last; 0: none
  graph::InitialMap first_map{graph::InitialMap::block};  // of cells, and of computes
  // Called on image 0, in the caller's thread, as phases end.
  std::function<void(Thermo const& line)> on_thermo{};
  std::function<void(Frame const& frame)> on_frame{};
  // What has been done: steps. To stop early is no error.
  std::function<graph::Next(std::int64_t steps)> on_phase{};
};

// Throws InputError on invalid numbers of steps.
void check(MeltOptions const& options);

// On image 0; elsewhere empty.
struct MeltReport {
  std::vector<Thermo> lines{};
  std::vector<graph::PhaseReport> phases{};  // of steps: without the first forces
  // Of the first phase of steps, and of the last that was measured: the run's last, unless it was
  // stopped; by index.
  PhaseShares first_shares{};
  PhaseShares last_shares{};
  std::int64_t first_step{};  // where the run began: 0, or that of a checkpoint
  std::int64_t steps{};       // done, those before a checkpoint included
  double seconds{};           // of this run's steps
  int places{};
  graph::MachineFacts machine{};
  std::vector<Digest> digests{};  // of each cell's atoms; none if the run was stopped
};

// Collective; blocks until all steps are done. A run that goes on from a checkpoint tells what
// comes after it. Throws InputError as check(), Kernels::named() and check_goes_on() do, and when
// atoms move so far in a step that nothing can be said of them; whatever ObjectWorld::run_all()
// throws. Tested by tests/apps/melt/objects/melt_run_test.cpp: the bits of SerialMelt.
[[nodiscard]] MeltReport run_melt_all(pgas::Runtime& runtime, MeltSettings const& settings,
                                      MeltOptions const& options);
// The same in a world that is there, in virtual time, too; it was made with `options.world`.
[[nodiscard]] MeltReport run_melt_all(graph::ObjectHost& world, MeltSettings const& settings,
                                      MeltOptions const& options);

}  // namespace makespan::melt

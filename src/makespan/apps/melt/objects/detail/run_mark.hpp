// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a checkpoint of a melt says of the run that wrote it.

#include <cereal/types/array.hpp>
#include <cstdint>

#include "makespan/apps/melt/settings.hpp"

namespace makespan::melt {

template <class Archive>
void serialize(Archive& archive, MeltSettings& settings) {
  archive(settings.lattice_cells, settings.density, settings.temperature, settings.cutoff,
          settings.skin, settings.time_step, settings.cells, settings.rebuild_steps, settings.steps,
          settings.thermo_steps, settings.seed);
}

struct RunMark {
  MeltSettings settings{};
  std::int64_t phase_steps{};
  std::int64_t step{};  // done, when the phase is over

  template <class Archive>
  void serialize(Archive& archive) {
    archive(settings, phase_steps, step);
  }
};

// Whether the run `now`, which begins with phase `phase`, can go on from where `saved` was made:
// throws InputError if its settings are others, but for `steps` and `thermo_steps`, or nothing is
// left to do. Tested by tests/apps/melt/objects/run_mark_test.cpp.
void check_goes_on(RunMark const& saved, RunMark const& now, std::int64_t phase);

}  // namespace makespan::melt

// SPDX-License-Identifier: Apache-2.0
#pragma once

// What all objects of a melt know, at each place.

#include <cstdint>
#include <vector>

#include "makespan/apps/melt/cell_grid.hpp"
#include "makespan/apps/melt/force_compute.hpp"
#include "makespan/apps/melt/kernels.hpp"
#include "makespan/apps/melt/settings.hpp"
#include "makespan/graph/object/collection.hpp"

namespace makespan::melt {

class CellObject;
class ComputeObject;
class Recorder;

// The objects of one melt.
struct MeltCollections {
  graph::Collection<CellObject> cells{};
  graph::Collection<ComputeObject> computes{};
  graph::Collection<Recorder> recorder{};  // one, at place 0
};

struct MeltPlace {
  MeltPlace(MeltSettings const& given, MeltCollections const& objects, Kernels const& table,
            std::int64_t frames);

  MeltSettings settings;
  CellGrid grid;
  MeltCollections collections;
  Kernels const* kernels;
  std::int64_t frame_steps;  // 0: no frames
  std::int64_t atoms;        // of the melt
  std::int64_t cell_atoms;   // at most, as cell_atoms_max()
  ForceScratch scratch{};
  std::vector<double> told_s{};  // what of each object's time here the recorder knows

  // Whether lists are made anew in this step, energies are taken, positions told.
  [[nodiscard]] bool is_rebuild(std::int64_t step) const {
    return step % settings.rebuild_steps == 0;
  }
  [[nodiscard]] bool is_measured(std::int64_t step) const {
    return step % settings.thermo_steps == 0 || step == settings.steps;
  }
  [[nodiscard]] bool is_frame(std::int64_t step) const {
    return frame_steps > 0 && (step % frame_steps == 0 || step == settings.steps);
  }
};

}  // namespace makespan::melt

// SPDX-License-Identifier: Apache-2.0
// A melt on one thread: every cell and compute in turn. What spreads them over a machine has to
// give the same bits.
#pragma once

#include <cstdint>
#include <vector>

#include "makespan/apps/melt/cell.hpp"
#include "makespan/apps/melt/cell_grid.hpp"
#include "makespan/apps/melt/force_compute.hpp"
#include "makespan/apps/melt/thermo.hpp"

namespace makespan::melt {

// Tested by tests/apps/melt/serial_melt_test.cpp.
class SerialMelt {
 public:
  // At step 0, with forces. Throws InputError as check() does.
  SerialMelt(MeltSettings const& settings, Kernels const& kernels);

  std::int64_t steps_done() const { return step_; }
  // One step; energies are there afterwards only if they were asked for.
  void step(Measure measure);
  // As many as the settings say, with a line of figures for each of their thermo_steps, the first
  // step and the last.
  std::vector<Thermo> run();

  // Of the last step that measured; step 0 does.
  Thermo thermo() const;
  std::vector<Cell> const& cells() const { return cells_; }
  std::vector<ForceCompute> const& computes() const { return computes_; }
  // All atoms by id.
  std::vector<Atom> atoms() const;
  // Pairs of the lists that are closer than `distance`, which is at most cutoff + skin.
  std::int64_t pairs_closer_than(double distance) const;

 private:
  void exchange();
  void rebuild();
  void compute_forces(Measure measure);
  void sum_forces(Cell& cell);

  MeltSettings settings_;
  Kernels const* kernels_;
  CellGrid grid_;
  std::vector<Cell> cells_;
  std::vector<ForceCompute> computes_;
  ForceScratch scratch_;
  std::int64_t step_ = 0;
};

}  // namespace makespan::melt

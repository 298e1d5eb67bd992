// SPDX-License-Identifier: Apache-2.0
// Objects of a melt and the mark of its run, as a checkpoint or another image has them.
#include <algorithm>
#include <utility>

#include "apps/melt/objects/still_melt.hpp"
#include "fuzz/fuzz_input.hpp"
#include "fuzz/typed_seed.hpp"
#include "makespan/apps/melt/objects/detail/cell_object.hpp"
#include "makespan/apps/melt/objects/detail/compute_object.hpp"
#include "makespan/apps/melt/objects/detail/run_mark.hpp"
#include "makespan/pgas/message/archive.hpp"

namespace makespan::fuzz::melt_objects_target {
namespace {

// Its object is worked with as in a run: a step of it up to where it waits for forces, and what
// these bring.
void read_cell(std::span<std::byte const> bytes) {
  auto object = pgas::unpacked<melt::CellObject>(bytes);
  static_cast<void>(pgas::packed(object));
  melt::StillMelt melt;
  int const index = std::clamp(object.cell().index(), 0, melt.common().grid.cells() - 1);
  melt::CellObject& cell = melt.put_cell(index, std::move(object));
  cell.go_on(melt.here, melt.settings().steps);
  for (melt::Feed const& feed : melt.common().grid.feeds(index)) {
    cell.take_forces(melt.here, feed.compute, melt::SharedContribution(melt::ForceContribution{}));
  }
}

void read_compute(std::span<std::byte const> bytes) {
  auto object = pgas::unpacked<melt::ComputeObject>(bytes);
  static_cast<void>(pgas::packed(object));
  melt::StillMelt melt;
  int const index = std::clamp(object.index(), 0, melt.common().grid.computes() - 1);
  melt::ComputeObject& compute = melt.put_compute(index, std::move(object));
  melt::ComputeCells const cells = melt.common().grid.compute(index);
  for (int const cell : {cells.first, cells.second}) {
    auto const positions = melt.cell(cell).cell().positions();
    compute.take_positions(melt.here, cell, 1,
                           melt::SharedPositions({positions.begin(), positions.end()}));
  }
  for (int const cell : {cells.first, cells.second}) {
    compute.take_clusters(melt.here, cell, 2,
                          melt::SharedClusters(melt.cell(cell).cell().clusters()));
  }
}

void read_mark(std::span<std::byte const> bytes) {
  auto const mark = pgas::unpacked<melt::RunMark>(bytes);
  melt::check_goes_on(mark, {.settings = {}, .phase_steps = 20}, 2);
}

void read(std::span<std::byte const> bytes) {
  FuzzInput input(bytes);
  int const type = input.small(2);
  if (type == 0) return read_mark(input.rest());
  if (type == 1) return read_cell(input.rest());
  read_compute(input.rest());
}

// With a list of pairs, as it is between two rebuilds.
melt::ComputeObject listed_compute(int index) {
  melt::StillMelt melt;
  melt::ComputeCells const cells = melt.common().grid.compute(index);
  melt::ComputeObject& compute = melt.compute(index);
  for (int const cell : {cells.first, cells.second}) {
    melt::SharedClusters const clusters(melt.cell(cell).cell().clusters());
    compute.take_clusters(melt.here, cell, 0, clusters);
  }
  return std::move(compute);
}

std::vector<Bytes> seeds() {
  melt::MeltSettings const settings{.lattice_cells = {6, 6, 6}, .cells = {3, 3, 3}};
  melt::CellGrid const grid(settings);
  std::vector<melt::Atom> const atoms{{.id = 1}, {.id = 2}};
  return {typed_seed(0, melt::RunMark{.settings = {}, .phase_steps = 20, .step = 20}),
          typed_seed(1, melt::CellObject(melt::Cell(grid, 0, atoms))),
          typed_seed(2, melt::ComputeObject(grid, settings, 0)),
          typed_seed(1, melt::StillMelt().cell(3)),
          typed_seed(2, listed_compute(0)),
          typed_seed(2, listed_compute(1))};
}

FuzzTarget const target("melt_objects", &read, &seeds);

}  // namespace
}  // namespace makespan::fuzz::melt_objects_target

// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/melt/objects/detail/compute_object.hpp"

#include <string>

#include "makespan/apps/melt/objects/detail/cell_object.hpp"
#include "makespan/apps/melt/objects/detail/melt_place.hpp"
#include "makespan/apps/melt/objects/detail/recorder.hpp"
#include "makespan/apps/melt/refusal.hpp"

namespace makespan::melt {

using graph::ObjectPlace;

namespace {

// The room for pairs is that of each cluster with each.
void expect_few(ClusterSet const& clusters, std::int64_t atoms_max) {
  if (clusters.atoms <= atoms_max) return;
  refuse("clusters of " + std::to_string(clusters.atoms) + " atoms of a cell",
         "at most " + std::to_string(atoms_max) + " are ever in one");
}

}  // namespace

// By itself; what needs the run's grid is looked at by expect_known().
void ComputeObject::expect_sound() const {
  compute_.expect_sound();
  for (SharedClusters const& each : clusters_) {
    if (each) melt::expect_sound(*each);
  }
}

// Once at each place: it may have been read from what another image, or a file, says.
void ComputeObject::expect_known(ObjectPlace& here) {
  if (is_known_) return;
  auto const& common = here.common<MeltPlace>();
  if (index_ < 0 || index_ >= common.grid.computes() ||
      here.find(common.collections.computes, index_) != this) {
    refuse("a compute that says that it is number " + std::to_string(index_),
           "that is not the object's number");
  }
  ComputeCells const own = common.grid.compute(index_);
  ComputeCells const& said = compute_.cells();
  if (said.first != own.first || said.second != own.second) {
    refuse(
        "compute " + std::to_string(index_) + " of cells " + std::to_string(said.first) + " and " +
            std::to_string(said.second),
        "in this run it is of " + std::to_string(own.first) + " and " + std::to_string(own.second));
  }
  for (SharedClusters const& each : clusters_) {
    if (each) expect_few(*each, common.cell_atoms);
  }
  is_known_ = true;
}

std::size_t ComputeObject::side_of(int cell) const {
  if (cell == compute_.cells().first) return 0;
  if (cell == compute_.cells().second) return 1;
  refuse("what cell " + std::to_string(cell) + " tells compute " + std::to_string(index_),
         "that is of cells " + std::to_string(compute_.cells().first) + " and " +
             std::to_string(compute_.cells().second));
}

void ComputeObject::take_clusters(ObjectPlace& here, std::int32_t cell, std::int64_t step,
                                  SharedClusters const& clusters) {
  expect_known(here);
  std::size_t const side = side_of(cell);
  if (!clusters) {
    refuse("clusters of cell " + std::to_string(cell), "there are none in the message");
  }
  melt::expect_sound(*clusters);
  expect_few(*clusters, here.common<MeltPlace>().cell_atoms);
  clusters_[side] = clusters;
  bool const is_self = compute_.cells().is_self();
  if (!clusters_[0] || (!clusters_[1] && !is_self)) return;
  auto& common = here.common<MeltPlace>();
  ClusterSet const& first = *clusters_[0];
  ClusterSet const& second = is_self ? first : *clusters_[1];
  for (SharedContribution& each : sent_) each.reset();  // of other lists
  compute_.rebuild(*common.kernels, first, second, common.scratch);
  run(here, step, first.positions, second.positions);
  // Not before the run, which reads positions in them.
  for (SharedClusters& each : clusters_) each.reset();
}

void ComputeObject::take_positions(ObjectPlace& here, std::int32_t cell, std::int64_t step,
                                   SharedPositions const& positions) {
  expect_known(here);
  std::size_t const side = side_of(cell);
  if (!positions) {
    refuse("positions of cell " + std::to_string(cell), "there are none in the message");
  }
  positions_[side] = positions;
  bool const is_self = compute_.cells().is_self();
  if (!positions_[0] || (!positions_[1] && !is_self)) return;
  run(here, step, *positions_[0], is_self ? *positions_[0] : *positions_[1]);
  for (SharedPositions& each : positions_) each.reset();
}

void ComputeObject::run(ObjectPlace& here, std::int64_t step, std::span<ClusterVectors const> first,
                        std::span<ClusterVectors const> second) {
  auto& common = here.common<MeltPlace>();
  bool const is_measured = common.is_measured(step);
  for (Side const side : {Side::first, Side::second}) {
    // The cell that had it has made its next step since, or there would be no positions.
    if (ForceContribution* const used = sent_[static_cast<std::size_t>(side)].sole()) {
      compute_.lend(side, std::move(*used));
    }
  }
  compute_.run(*common.kernels, first, second,
               is_measured ? Measure::forces_and_sums : Measure::forces, common.scratch);
  ComputeCells const& cells = compute_.cells();
  send_forces(here, Side::first, cells.first);
  if (!cells.is_self()) send_forces(here, Side::second, cells.second);
  if (is_measured) {
    here.send<&Recorder::take_pairs>(common.collections.recorder, 0, step, index_, compute_.sums());
  }
}

void ComputeObject::send_forces(ObjectPlace& here, Side side, int cell) {
  SharedContribution& sent = sent_[static_cast<std::size_t>(side)];
  if (ForceContribution* const used = sent.sole()) {
    *used = compute_.take_forces(side);
  } else {
    sent = SharedContribution(compute_.take_forces(side));
  }
  here.send<&CellObject::take_forces>(here.common<MeltPlace>().collections.cells, cell, index_,
                                      sent);
}

}  // namespace makespan::melt

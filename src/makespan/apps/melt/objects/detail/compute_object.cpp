// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/melt/objects/detail/compute_object.hpp"

#include "makespan/apps/melt/objects/detail/cell_object.hpp"
#include "makespan/apps/melt/objects/detail/melt_place.hpp"
#include "makespan/apps/melt/objects/detail/recorder.hpp"

namespace makespan::melt {

using graph::ObjectPlace;

void ComputeObject::take_clusters(ObjectPlace& here, std::int32_t cell, std::int64_t step,
                                  SharedClusters const& clusters) {
  clusters_[side_of(cell)] = clusters;
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
  positions_[side_of(cell)] = positions;
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

// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/melt/objects/compute_object.hpp"

#include "makespan/apps/melt/objects/cell_object.hpp"
#include "makespan/apps/melt/objects/melt_common.hpp"
#include "makespan/apps/melt/objects/recorder.hpp"

namespace makespan::melt {

using graph::ObjectPlace;

void ComputeObject::take_clusters(ObjectPlace& here, std::int32_t cell, std::int64_t step,
                                  SharedClusters const& clusters) {
  clusters_[side_of(cell)] = clusters;
  bool const is_self = compute_.cells().is_self();
  if (!clusters_[0] || (!clusters_[1] && !is_self)) return;
  auto& common = here.common<MeltCommon>();
  ClusterSet const& first = *clusters_[0];
  ClusterSet const& second = is_self ? first : *clusters_[1];
  compute_.rebuild(*common.kernels, first, second, common.scratch);
  run(here, step, first.positions, second.positions);
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
  auto& common = here.common<MeltCommon>();
  bool const is_measured = common.is_measured(step);
  compute_.run(*common.kernels, first, second,
               is_measured ? Measure::forces_and_sums : Measure::forces, common.scratch);
  ComputeCells const& cells = compute_.cells();
  here.send<&CellObject::take_forces>(common.collections.cells, cells.first, index_,
                                      SharedParcel(compute_.take_forces(Side::first)));
  if (!cells.is_self()) {
    here.send<&CellObject::take_forces>(common.collections.cells, cells.second, index_,
                                        SharedParcel(compute_.take_forces(Side::second)));
  }
  if (is_measured) {
    here.send<&Recorder::take_pairs>(common.collections.recorder, 0, step, index_,
                                     compute_.sums());
  }
}

}  // namespace makespan::melt

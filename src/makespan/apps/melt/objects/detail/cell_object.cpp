// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/melt/objects/detail/cell_object.hpp"

#include <algorithm>
#include <utility>

#include "makespan/apps/melt/objects/detail/compute_object.hpp"
#include "makespan/apps/melt/objects/detail/melt_place.hpp"
#include "makespan/apps/melt/objects/detail/recorder.hpp"
#include "makespan/base/contracts.hpp"

namespace makespan::melt {

using graph::ObjectPlace;

namespace {

std::array<int, direction_count> computes_of(CellGrid const& grid, int cell) {
  std::array<int, direction_count> computes{};
  std::ranges::transform(grid.feeds(cell), computes.begin(), &Feed::compute);
  return computes;
}

constexpr int opposite(int direction) {
  return direction_count - 1 - direction;
}

}  // namespace

void CellObject::go_on(ObjectPlace& here, std::int64_t last) {
  last_ = last;
  // Phase 0: the first half of a step needs forces, which lists and positions give.
  if (last == 0) {
    tell_clusters(here);
  } else if (step_ < last) {
    begin_step(here);
  }
}

void CellObject::begin_step(ObjectPlace& here) {
  auto const& common = here.common<MeltPlace>();
  ++step_;
  cell_.kick_and_drift(*common.kernels, common.settings.time_step);
  if (common.is_rebuild(step_)) {
    send_leavers(here);
  } else {
    tell_positions(here);
  }
}

// To all neighbours, so that each knows when it has heard of all.
void CellObject::send_leavers(ObjectPlace& here) {
  auto const& common = here.common<MeltPlace>();
  Leavers leavers = cell_.take_leavers(common.grid);
  for (int direction = 0; direction < direction_count; ++direction) {
    if (direction == direction_to_itself) continue;
    here.send<&CellObject::take_arrivals>(
        common.collections.cells, common.grid.neighbour(cell_.index(), direction),
        opposite(direction), std::move(leavers[static_cast<std::size_t>(direction)]));
  }
  is_exchanging_ = true;
  settle_if_complete(here);
}

void CellObject::take_arrivals(ObjectPlace& here, std::int32_t direction,
                               std::vector<Atom> const& atoms) {
  arrivals_[static_cast<std::size_t>(direction)] = atoms;
  ++arrivals_here_;
  settle_if_complete(here);
}

void CellObject::settle_if_complete(ObjectPlace& here) {
  // Neighbours may have sent before this cell has finished its step.
  if (!is_exchanging_ || arrivals_here_ < direction_count - 1) return;
  is_exchanging_ = false;
  arrivals_here_ = 0;
  for (std::vector<Atom>& atoms : arrivals_) {
    if (!atoms.empty()) cell_.take_in(std::exchange(atoms, {}));
  }
  cell_.settle();
  tell_clusters(here);
}

void CellObject::tell_clusters(ObjectPlace& here) {
  auto const& common = here.common<MeltPlace>();
  here.send_each<&ComputeObject::take_clusters>(
      common.collections.computes, computes_of(common.grid, cell_.index()), cell_.index(), step_,
      SharedClusters(cell_.clusters()));
}

void CellObject::tell_positions(ObjectPlace& here) {
  auto const& common = here.common<MeltPlace>();
  auto const positions = cell_.positions();
  here.send_each<&ComputeObject::take_positions>(
      common.collections.computes, computes_of(common.grid, cell_.index()), cell_.index(), step_,
      SharedPositions({positions.begin(), positions.end()}));
}

void CellObject::take_forces(ObjectPlace& here, std::int32_t compute,
                             SharedContribution const& contribution) {
  auto const& common = here.common<MeltPlace>();
  auto const feeds = common.grid.feeds(cell_.index());
  auto const feed = std::ranges::lower_bound(feeds, compute, {}, &Feed::compute);
  MAKESPAN_ASSERT(feed != feeds.end());
  MAKESPAN_ASSERT(feed->compute == compute);
  contributions_[static_cast<std::size_t>(feed - feeds.begin())] = contribution;
  if (++contributions_here_ == direction_count) end_step(here);
}

void CellObject::end_step(ObjectPlace& here) {
  auto const& common = here.common<MeltPlace>();
  std::array<ForceContribution const*, direction_count> contributions{};
  std::ranges::transform(contributions_, contributions.begin(),
                         [](SharedContribution const& each) { return &*each; });
  cell_.set_forces(*common.kernels, contributions);
  for (SharedContribution& each : contributions_) each.reset();
  contributions_here_ = 0;
  // The second half of a step's acceleration; before the first step there has been no first half.
  if (step_ > 0) cell_.kick(*common.kernels, common.settings.time_step);
  tell_recorder(here);
  if (step_ < last_) begin_step(here);
}

void CellObject::tell_recorder(ObjectPlace& here) {
  auto const& common = here.common<MeltPlace>();
  if (common.is_measured(step_)) {
    here.send<&Recorder::take_kinetic>(common.collections.recorder, 0, step_, cell_.index(),
                                       cell_.kinetic_energy());
  }
  if (common.is_frame(step_)) {
    here.send<&Recorder::take_atoms>(common.collections.recorder, 0, step_, cell_.atoms());
  }
}

}  // namespace makespan::melt

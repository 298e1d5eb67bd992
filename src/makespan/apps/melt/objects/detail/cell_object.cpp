// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/melt/objects/detail/cell_object.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "makespan/apps/melt/objects/detail/compute_object.hpp"
#include "makespan/apps/melt/objects/detail/melt_place.hpp"
#include "makespan/apps/melt/objects/detail/recorder.hpp"
#include "makespan/apps/melt/refusal.hpp"
#include "makespan/base/number_text.hpp"

namespace makespan::melt {

using graph::ObjectPlace;

namespace {

std::array<int, direction_count> computes_of(CellGrid const& grid, int cell) {
  std::array<int, direction_count> computes{};
  std::ranges::transform(grid.feeds(cell), computes.begin(), &Feed::compute);
  return computes;
}

constexpr int neighbours = direction_count - 1;

constexpr int opposite(int direction) {
  return direction_count - 1 - direction;
}

// Atoms are put in order by their positions, which is not for what is no number.
void expect_arrivals(MeltPlace const& common, int cell, std::vector<Atom> const& atoms) {
  for (Atom const& atom : atoms) {
    if (atom.id < 0 || atom.id >= common.atoms) {
      refuse("atom " + std::to_string(atom.id), "this run has " + std::to_string(common.atoms));
    }
    if (common.grid.is_in_box(atom.position) && common.grid.cell_of(atom.position) == cell) {
      continue;
    }
    refuse("atom " + std::to_string(atom.id) + " for cell " + std::to_string(cell),
           "it is at x = " + short_text(atom.position[0]) +
               ", y = " + short_text(atom.position[1]) + ", z = " + short_text(atom.position[2]) +
               ", not in that cell");
  }
}

}  // namespace

// By itself; what needs the run's grid is looked at by expect_known().
void CellObject::expect_sound() const {
  cell_.expect_sound();
  auto const contributions = std::ranges::count_if(
      contributions_, [](SharedContribution const& each) { return static_cast<bool>(each); });
  if (contributions != contributions_here_ || contributions == direction_count) {
    refuse("a cell with " + std::to_string(contributions_here_) + " contributions, of which " +
               std::to_string(contributions) + " are there",
           "it waits for one of " + std::to_string(direction_count));
  }
  if (arrivals_here_ < 0 || arrivals_here_ > neighbours) {
    refuse("a cell with " + std::to_string(arrivals_here_) + " arrivals",
           "it has " + std::to_string(neighbours) + " neighbours");
  }
  if (step_ < 0 || step_ > last_) {
    refuse("a cell at step " + std::to_string(step_),
           "it is to go on to step " + std::to_string(last_));
  }
}

// Once at each place: it may have been read from what another image, or a file, says.
void CellObject::expect_known(ObjectPlace& here) {
  if (is_known_) return;
  auto const& common = here.common<MeltPlace>();
  int const index = cell_.index();
  if (index < 0 || index >= common.grid.cells() ||
      here.find(common.collections.cells, index) != this) {
    refuse("a cell that says that it is number " + std::to_string(index),
           "that is not the object's number");
  }
  for (std::vector<Atom> const& atoms : arrivals_) expect_arrivals(common, index, atoms);
  is_known_ = true;
}

void CellObject::go_on(ObjectPlace& here, std::int64_t last) {
  expect_known(here);
  if (last < 0 || last > here.common<MeltPlace>().settings.steps) {
    refuse("a cell that is to go on to step " + std::to_string(last),
           "the run has " + std::to_string(here.common<MeltPlace>().settings.steps));
  }
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
  expect_known(here);
  if (direction < 0 || direction >= direction_count || direction == direction_to_itself) {
    refuse("atoms from direction " + std::to_string(direction),
           "neighbours lie in directions 0 to 26 but 13");
  }
  if (arrivals_here_ == neighbours) {
    refuse("atoms for cell " + std::to_string(cell_.index()),
           "all its neighbours have sent theirs");
  }
  expect_arrivals(here.common<MeltPlace>(), cell_.index(), atoms);
  arrivals_[static_cast<std::size_t>(direction)] = atoms;
  ++arrivals_here_;
  settle_if_complete(here);
}

void CellObject::settle_if_complete(ObjectPlace& here) {
  // Neighbours may have sent before this cell has finished its step.
  if (!is_exchanging_ || arrivals_here_ < neighbours) return;
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
  expect_known(here);
  auto const& common = here.common<MeltPlace>();
  auto const feeds = common.grid.feeds(cell_.index());
  auto const feed = std::ranges::lower_bound(feeds, compute, {}, &Feed::compute);
  if (feed == feeds.end() || feed->compute != compute || !contribution) {
    refuse("forces of compute " + std::to_string(compute) + " on cell " +
               std::to_string(cell_.index()),
           contribution ? "that is not one of its computes" : "there are none in the message");
  }
  SharedContribution& own = contributions_[static_cast<std::size_t>(feed - feeds.begin())];
  if (own) {
    refuse("forces of compute " + std::to_string(compute) + " on cell " +
               std::to_string(cell_.index()),
           "it has had them in this step");
  }
  own = contribution;
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

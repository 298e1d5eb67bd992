// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/melt/objects/detail/recorder.hpp"

#include <string>
#include <string_view>

#include "makespan/apps/melt/objects/detail/melt_place.hpp"
#include "makespan/apps/melt/refusal.hpp"

namespace makespan::melt {

using graph::ObjectPlace;

namespace {

// Numbers that come in messages, before they are indices.
void expect_below(std::string_view what, std::int64_t number, std::int64_t count) {
  if (number >= 0 && number < count) return;
  refuse(std::string(what) + " " + std::to_string(number), "this run has " + std::to_string(count));
}

}  // namespace

Recorder::OpenSums& Recorder::open_sums(ObjectPlace& here, std::int64_t step) {
  auto const& common = here.common<MeltPlace>();
  if (step < 0 || step > common.settings.steps || !common.is_measured(step)) {
    refuse("energies of step " + std::to_string(step), "none are taken in it");
  }
  CellGrid const& grid = common.grid;
  auto const [found, is_new] = open_.try_emplace(step);
  if (is_new) {
    found->second = {.kinetic = std::vector<double>(static_cast<std::size_t>(grid.cells())),
                     .pairs = std::vector<PairSums>(static_cast<std::size_t>(grid.computes())),
                     .missing = std::int64_t{grid.cells()} + grid.computes()};
  }
  // It may have been read back.
  OpenSums& open = found->second;
  if (std::ssize(open.kinetic) != grid.cells() || std::ssize(open.pairs) != grid.computes() ||
      open.missing < 1) {
    refuse(
        "sums of step " + std::to_string(step) + ", of " + std::to_string(open.kinetic.size()) +
            " cells and " + std::to_string(open.pairs.size()) + " computes, " +
            std::to_string(open.missing) + " of them missing",
        "this run has " + std::to_string(grid.cells()) + " and " + std::to_string(grid.computes()));
  }
  return open;
}

void Recorder::take_kinetic(ObjectPlace& here, std::int64_t step, std::int32_t cell,
                            double energy) {
  expect_below("energies of cell", cell, here.common<MeltPlace>().grid.cells());
  open_sums(here, step).kinetic[static_cast<std::size_t>(cell)] = energy;
  close_if_complete(here, step);
}

void Recorder::take_pairs(ObjectPlace& here, std::int64_t step, std::int32_t compute,
                          PairSums const& sums) {
  expect_below("energies of compute", compute, here.common<MeltPlace>().grid.computes());
  open_sums(here, step).pairs[static_cast<std::size_t>(compute)] = sums;
  close_if_complete(here, step);
}

void Recorder::close_if_complete(ObjectPlace& here, std::int64_t step) {
  auto const found = open_.find(step);
  OpenSums& open = found->second;
  if (--open.missing > 0) return;
  MeltSums sums;
  // In the order of their numbers, not in that in which they came: lines have the same bits.
  for (double const energy : open.kinetic) sums.kinetic += energy;
  for (PairSums const& pairs : open.pairs) sums += {.kinetic = 0.0, .pairs = pairs};
  lines_.push_back(thermo_of(here.common<MeltPlace>().settings, step, sums));
  open_.erase(found);
}

Frame& Recorder::open_frame(ObjectPlace& here, std::int64_t step) {
  auto const& common = here.common<MeltPlace>();
  if (step < 0 || step > common.settings.steps || !common.is_frame(step)) {
    refuse("positions of step " + std::to_string(step), "none are told in it");
  }
  auto const [found, is_new] = open_frames_.try_emplace(step);
  Frame& frame = found->second;
  if (is_new) {
    frame = {.step = step,
             .positions = std::vector<Vector3>(static_cast<std::size_t>(common.atoms)),
             .missing = common.grid.cells()};
  }
  // It may have been read back.
  if (std::ssize(frame.positions) != common.atoms || frame.missing < 1) {
    refuse("a frame of step " + std::to_string(step) + " with " +
               std::to_string(frame.positions.size()) + " positions, " +
               std::to_string(frame.missing) + " cells of it missing",
           "this run has " + std::to_string(common.atoms) + " atoms");
  }
  return frame;
}

void Recorder::take_atoms(ObjectPlace& here, std::int64_t step, std::vector<Atom> const& atoms) {
  std::int64_t const count = here.common<MeltPlace>().atoms;
  for (Atom const& atom : atoms) expect_below("atom", atom.id, count);
  Frame& frame = open_frame(here, step);
  for (Atom const& atom : atoms) {
    frame.positions[static_cast<std::size_t>(atom.id)] = atom.position;
  }
  if (--frame.missing > 0) return;
  frames_.push_back(std::move(frame));
  open_frames_.erase(step);
}

// All places tell of a phase in the next one, so that nothing is missing when that is over.
void Recorder::take_shares(ObjectPlace& here, std::int64_t phase,
                           std::vector<ObjectShare> const& shares) {
  CellGrid const& grid = here.common<MeltPlace>().grid;
  for (ObjectShare const& share : shares) {
    expect_below("the share of object", share.index, std::int64_t{grid.cells()} + grid.computes());
    expect_below("a share of place", share.place, here.places());
  }
  if (first_shares_.phase < 0) first_shares_.phase = phase;
  if (phase != last_shares_.phase) last_shares_ = {.phase = phase};
  for (PhaseShares* const each : {&first_shares_, &last_shares_}) {
    if (each->phase != phase) continue;
    each->shares.insert(each->shares.end(), shares.begin(), shares.end());
  }
}

void Recorder::take_digest(ObjectPlace& here, std::int32_t cell, Digest const& digest) {
  int const cells = here.common<MeltPlace>().grid.cells();
  expect_below("a digest of cell", cell, cells);
  digests_.resize(static_cast<std::size_t>(cells));
  digests_[static_cast<std::size_t>(cell)] = digest;
}

}  // namespace makespan::melt

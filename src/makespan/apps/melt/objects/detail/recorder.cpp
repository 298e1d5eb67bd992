// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/melt/objects/detail/recorder.hpp"

#include "makespan/apps/melt/objects/detail/melt_place.hpp"

namespace makespan::melt {

using graph::ObjectPlace;

Recorder::OpenSums& Recorder::open_sums(ObjectPlace& here, std::int64_t step) {
  auto const [found, is_new] = open_.try_emplace(step);
  if (is_new) {
    CellGrid const& grid = here.common<MeltPlace>().grid;
    found->second = {.kinetic = std::vector<double>(static_cast<std::size_t>(grid.cells())),
                     .pairs = std::vector<PairSums>(static_cast<std::size_t>(grid.computes())),
                     .missing = std::int64_t{grid.cells()} + grid.computes()};
  }
  return found->second;
}

void Recorder::take_kinetic(ObjectPlace& here, std::int64_t step, std::int32_t cell,
                            double energy) {
  open_sums(here, step).kinetic[static_cast<std::size_t>(cell)] = energy;
  close_if_complete(here, step);
}

void Recorder::take_pairs(ObjectPlace& here, std::int64_t step, std::int32_t compute,
                          PairSums const& sums) {
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

void Recorder::take_atoms(ObjectPlace& here, std::int64_t step, std::vector<Atom> const& atoms) {
  auto const [found, is_new] = open_frames_.try_emplace(step);
  Frame& frame = found->second;
  if (is_new) {
    auto const& common = here.common<MeltPlace>();
    frame = {
        .step = step,
        .positions = std::vector<Vector3>(static_cast<std::size_t>(atom_count(common.settings))),
        .missing = common.grid.cells()};
  }
  for (Atom const& atom : atoms) {
    frame.positions[static_cast<std::size_t>(atom.id)] = atom.position;
  }
  if (--frame.missing > 0) return;
  frames_.push_back(std::move(frame));
  open_frames_.erase(found);
}

// All places tell of a phase in the next one, so that nothing is missing when that is over.
void Recorder::take_shares(ObjectPlace& /*here*/, std::int64_t phase,
                           std::vector<ObjectShare> const& shares) {
  if (first_shares_.phase < 0) first_shares_.phase = phase;
  if (phase != last_shares_.phase) last_shares_ = {.phase = phase};
  for (PhaseShares* const each : {&first_shares_, &last_shares_}) {
    if (each->phase != phase) continue;
    each->shares.insert(each->shares.end(), shares.begin(), shares.end());
  }
}

void Recorder::take_digest(ObjectPlace& here, std::int32_t cell, Digest const& digest) {
  digests_.resize(static_cast<std::size_t>(here.common<MeltPlace>().grid.cells()));
  digests_[static_cast<std::size_t>(cell)] = digest;
}

}  // namespace makespan::melt

// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/melt/force_compute.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace makespan::melt {
namespace {

// The kernels leave it out (forces-inl.hpp).
constexpr double force_unit = 24;

void shift_by(Vector3 const& shift, ClusterVectors& vectors) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (double& x : vectors.axis[axis]) x += shift[axis];
  }
}

ClusterSet shifted(ClusterSet set, Vector3 const& shift) {
  for (auto* const vectors : {&set.positions, &set.low, &set.high}) {
    for (ClusterVectors& of_cluster : *vectors) shift_by(shift, of_cluster);
  }
  return set;
}

void scale(ClusterVectors const& from, ClusterVectors& to) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (std::size_t i = 0; i < cluster_atoms; ++i) {
      to.axis[axis][i] = force_unit * from.axis[axis][i];
    }
  }
}

}  // namespace

ForceCompute::ForceCompute(CellGrid const& grid, MeltSettings const& settings, int index)
    : cells_(grid.compute(index)), cutoff_(settings.cutoff), reach_(list_reach(settings)) {}

void ForceCompute::rebuild(Kernels const& kernels, ClusterSet const& first,
                           ClusterSet const& second, ForceScratch& scratch) {
  ClusterSet const beside = cells_.is_self() ? first : shifted(second, cells_.shift);
  std::size_t const room = first.positions.size() * beside.positions.size() + 1;
  ClusterPair* const found = scratch.found.reserve(room);
  std::int64_t const count = kernels.find_pairs({.pairs = pairs(),
                                                 .reach = reach_,
                                                 .first = &first,
                                                 .second = &beside,
                                                 .found = found});
  list_ = pair_list_of({found, static_cast<std::size_t>(count)}, pairs(),
                       std::ssize(first.positions), std::ssize(beside.positions));
  parcels_[0].clusters = list_.first_clusters;
  parcels_[0].forces.resize(list_.first_clusters.size());
  if (cells_.is_self()) return;
  parcels_[1].clusters = list_.second_clusters;
  parcels_[1].forces.resize(list_.second_clusters.size());
}

void ForceCompute::fill_slots(std::span<ClusterVectors const> second, ClusterSlot* slots) const {
  for (std::int32_t const cluster : list_.second_clusters) {
    slots->positions = second[static_cast<std::size_t>(cluster)];
    shift_by(cells_.shift, slots->positions);
    slots->forces = {};
    ++slots;
  }
}

void ForceCompute::gather_forces(ClusterSlot const* slots) {
  auto& own = parcels_[0].forces;
  if (cells_.is_self()) {
    for (std::size_t slot = 0; slot < own.size(); ++slot) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        for (std::size_t i = 0; i < cluster_atoms; ++i) {
          double& force = own[slot].axis[axis][i];
          force = force_unit * (force + slots[slot].forces.axis[axis][i]);
        }
      }
    }
    return;
  }
  for (ClusterVectors& forces : own) scale(forces, forces);
  for (std::size_t slot = 0; slot < parcels_[1].forces.size(); ++slot) {
    scale(slots[slot].forces, parcels_[1].forces[slot]);
  }
}

void ForceCompute::run(Kernels const& kernels, std::span<ClusterVectors const> first,
                       std::span<ClusterVectors const> second, Measure measure,
                       ForceScratch& scratch) {
  sums_ = {};
  if (list_.entries.empty()) return;
  ClusterSlot* const slots = scratch.slots.reserve(list_.second_clusters.size());
  fill_slots(cells_.is_self() ? first : second, slots);
  std::ranges::fill(parcels_[0].forces, ClusterVectors{});
  kernels.add_forces({.pairs = pairs(),
                      .cutoff = cutoff_,
                      .entries = list_.entries,
                      .rows = list_.rows.data(),
                      .first_positions = first.data()->axis[0].data(),
                      .first_forces = parcels_[0].forces.data()->axis[0].data(),
                      .slots = slots,
                      .sums = &sums_},
                     measure);
  gather_forces(slots);
}

std::int64_t ForceCompute::pairs_closer_than(double distance, Kernels const& kernels,
                                             std::span<ClusterVectors const> first,
                                             std::span<ClusterVectors const> second) const {
  ForceCompute counting = *this;
  ForceScratch scratch;
  counting.cutoff_ = distance;
  counting.run(kernels, first, second, Measure::forces_and_sums, scratch);
  return std::llround(counting.sums_.pairs);
}

}  // namespace makespan::melt

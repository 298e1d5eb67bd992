// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/melt/force_compute.hpp"

#include <cmath>
#include <cstddef>
#include <string>

#include "makespan/apps/melt/refusal.hpp"

namespace makespan::melt {
namespace {

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

// Positions come from other images; clusters ascend.
void expect_all(std::span<std::int32_t const> clusters, std::span<ClusterVectors const> positions) {
  if (clusters.empty() || clusters.back() < std::ssize(positions)) return;
  refuse("positions of " + std::to_string(positions.size()) + " clusters",
         "the list of pairs has cluster " + std::to_string(clusters.back()));
}

}  // namespace

ForceCompute::ForceCompute(CellGrid const& grid, MeltSettings const& settings, int index)
    : cells_(grid.compute(index)), cutoff_(settings.cutoff), reach_(list_reach(settings)) {
}

void ForceCompute::rebuild(Kernels const& kernels, ClusterSet const& first,
                           ClusterSet const& second, ForceScratch& scratch) {
  // The neighbour as it lies from the first cell, beyond an end of the box if need be.
  ClusterSet const beside = cells_.is_self() ? first : shifted(second, cells_.shift);
  // Each cluster with each, though few are near.
  std::size_t const room = first.positions.size() * beside.positions.size() + 1;
  ClusterPair* const found = scratch.found.reserve(room);
  std::int64_t const count = kernels.find_pairs(
      {.pairs = pairs(), .reach = reach_, .first = &first, .second = &beside, .found = found});
  list_ = pair_list_of({found, static_cast<std::size_t>(count)}, pairs(),
                       std::ssize(first.positions), std::ssize(beside.positions));
  // Their clusters are those of the list before.
  contributions_ = {};
}

// Empty after a rebuild, a journey, or when the last ones were taken away.
void ForceCompute::make_room() {
  auto const make = [](ForceContribution& contribution, std::vector<std::int32_t> const& clusters) {
    if (contribution.forces.size() == clusters.size()) return;
    contribution.clusters = clusters;
    contribution.forces.resize(clusters.size());
  };
  make(contributions_[0], list_.first_clusters);
  if (!cells_.is_self()) make(contributions_[1], list_.second_clusters);
}

void ForceCompute::run(Kernels const& kernels, std::span<ClusterVectors const> first,
                       std::span<ClusterVectors const> second, Measure measure,
                       ForceScratch& scratch) {
  sums_ = {};
  if (list_.entries.empty()) return;
  make_room();
  auto const beside = cells_.is_self() ? first : second;
  expect_all(list_.first_clusters, first);
  expect_all(list_.second_clusters, beside);
  kernels.compute_forces({.pairs = pairs(),
                          .cutoff = cutoff_,
                          .shift = cells_.shift,
                          .list = &list_,
                          .first = first.data(),
                          .second = beside.data(),
                          .slots = scratch.slots.reserve(list_.second_clusters.size()),
                          .first_forces = contributions_[0].forces.data(),
                          .second_forces = contributions_[1].forces.data(),
                          .sums = &sums_},
                         measure);
}

std::int64_t ForceCompute::pairs_closer_than(double distance, Kernels const& kernels,
                                             std::span<ClusterVectors const> first,
                                             std::span<ClusterVectors const> second) const {
  ForceCompute counting = *this;
  ForceScratch scratch;
  // Pairs are counted by what a run measures: those within its cutoff.
  counting.cutoff_ = distance;
  counting.run(kernels, first, second, Measure::forces_and_sums, scratch);
  return std::llround(counting.sums_.pairs);
}

}  // namespace makespan::melt

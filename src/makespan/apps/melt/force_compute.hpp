// SPDX-License-Identifier: Apache-2.0
// The forces between two neighbouring cells, or within one: the objects that a machine's places
// share out. LeanMD's computes, with lists of pairs instead of all with all.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "makespan/apps/melt/cell_grid.hpp"
#include "makespan/apps/melt/clusters.hpp"
#include "makespan/apps/melt/kernels.hpp"
#include "makespan/simd/aligned_buffer.hpp"

namespace makespan::melt {

// What a compute gives one cell: forces [ε/σ] on some of its clusters; the others get none from it.
struct ForceContribution {
  std::vector<std::int32_t> clusters;  // ascending
  std::vector<ClusterVectors> forces;  // of these

  template <class Archive>
  void serialize(Archive& archive) {
    archive(clusters, forces);
  }
};

// Memory that one thread lends to computes while they run; nothing in it survives a call.
struct ForceScratch {
  simd::AlignedBuffer<ClusterSlot> slots;
  simd::AlignedBuffer<ClusterPair> found;
};

// A value that can be sent elsewhere between any two calls; not for two threads at once. What it
// gives is a function of the positions given, bit for bit, whatever the kernels.
// Tested by tests/apps/melt/force_compute_test.cpp.
class ForceCompute {
 public:
  ForceCompute() = default;
  // `index` in the grid. Expects checked settings.
  ForceCompute(CellGrid const& grid, MeltSettings const& settings, int index);

  ComputeCells const& cells() const { return cells_; }

  // Makes the list of pairs within cutoff + skin. `second` is not looked at for a self compute. Its
  // memory is that of a pair for each cluster with each: expects sets that are sound.
  void rebuild(Kernels const& kernels, ClusterSet const& first, ClusterSet const& second,
               ForceScratch& scratch);

  // Computes the forces at these positions of the two cells, by cluster, in the order of the last
  // rebuild: throws InputError where there are fewer clusters than its list names. `second` is not
  // looked at for a self compute.
  void run(Kernels const& kernels, std::span<ClusterVectors const> first,
           std::span<ClusterVectors const> second, Measure measure, ForceScratch& scratch);

  // Of the last run. A self compute has only the first side's.
  ForceContribution const& forces(Side side) const {
    return contributions_[static_cast<std::size_t>(side)];
  }
  // The same, given away: forces() has none until the next run.
  ForceContribution take_forces(Side side) {
    return std::exchange(contributions_[static_cast<std::size_t>(side)], {});
  }
  // Takes memory that take_forces() gave away since the last rebuild, for the next run.
  void lend(Side side, ForceContribution&& contribution) {
    contributions_[static_cast<std::size_t>(side)] = std::move(contribution);
  }
  // Of the last run that measured.
  PairSums const& sums() const { return sums_; }
  // What a balancer may take for the cost of a run: rows of eight pairs, since the last rebuild.
  std::int64_t rows() const { return std::ssize(list_.rows); }

  // Of one from elsewhere: throws InputError where its list is not sound.
  void expect_sound() const { melt::expect_sound(list_, pairs()); }

  // How many pairs of the list are closer than `distance`, which is at most cutoff + skin.
  std::int64_t pairs_closer_than(double distance, Kernels const& kernels,
                                 std::span<ClusterVectors const> first,
                                 std::span<ClusterVectors const> second) const;

  // All that it is but its last forces, which are sent to cells at once.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(cells_, cutoff_, reach_, list_);
  }

 private:
  void make_room();
  Pairs pairs() const { return cells_.is_self() ? Pairs::within_cell : Pairs::between_cells; }

  ComputeCells cells_;
  double cutoff_ = 0;
  double reach_ = 0;
  PairList list_;
  std::array<ForceContribution, 2> contributions_;
  PairSums sums_;
};

}  // namespace makespan::melt

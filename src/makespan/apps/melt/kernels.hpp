// SPDX-License-Identifier: Apache-2.0
// The kernels of one instruction set, as a table of functions, and the tables that this program and
// this machine have. All tables give the same bits.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "makespan/apps/melt/detail/pair_list.hpp"
#include "makespan/simd/kernel_choice.hpp"

namespace makespan::melt {

// What a compute's pairs add up to in a step. With S_n the sum of r^-n over its pairs within the
// cutoff: energy 4 (S12 - S6), virial 24 (2 S12 - S6).
struct PairSums {
  double inverse_12 = 0;
  double inverse_6 = 0;
  double pairs = 0;  // within the cutoff, a whole number

  double energy() const { return 4 * (inverse_12 - inverse_6); }
  double virial() const { return 24 * (2 * inverse_12 - inverse_6); }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(inverse_12, inverse_6, pairs);
  }
};

enum class Measure : std::uint8_t { forces, forces_and_sums };

// One step of one compute.
struct ForceJob {
  Pairs pairs = Pairs::between_cells;
  double cutoff = 0;
  Vector3 shift{};  // of the second cell's positions
  PairList const* list = nullptr;
  ClusterVectors const* first = nullptr;  // positions
  ClusterVectors const* second = nullptr;
  ClusterSlot* slots = nullptr;             // room for the list's second clusters
  ClusterVectors* first_forces = nullptr;   // [ε/σ] set, of the list's first clusters
  ClusterVectors* second_forces = nullptr;  // likewise; not looked at within a cell
  PairSums* sums = nullptr;                 // set where they are asked for, else not looked at
};

// Which clusters have pairs within `reach`. The second set lies beside the first one (shifted).
struct SearchJob {
  Pairs pairs = Pairs::between_cells;
  double reach = 0;
  ClusterSet const* first = nullptr;
  ClusterSet const* second = nullptr;
  ClusterPair* found = nullptr;  // room for each cluster of the first with each of the second
};

struct Kernels : simd::KernelChoice<Kernels> {
  std::string_view isa;  // "avx512", "avx2", "one_lane", …

  void (*compute_forces)(ForceJob const& job, Measure measure);
  // Returns how many were found, by first cluster, then second. Within a cell the second cluster is
  // never before the first, and each atom has its own cluster, found first.
  std::int64_t (*find_pairs)(SearchJob const& job);
  // to[i] += factor · from[i], fused.
  void (*add_scaled)(std::span<ClusterVectors> to, double factor, ClusterVectors const* from);
  // to[clusters[i]] += contribution[i].
  void (*add_contribution)(std::span<std::int32_t const> clusters,
                           ClusterVectors const* contribution, ClusterVectors* to);

  static std::vector<Kernels> const& vector_tables();  // forces_vector.cpp
  static Kernels const& one_lane_table();              // forces_one_lane.cpp
};

}  // namespace makespan::melt

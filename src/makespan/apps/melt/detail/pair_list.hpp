// SPDX-License-Identifier: Apache-2.0
// Which pairs of atoms a compute looks at until the next rebuild, as the kernels read it.
//
// An entry is one atom of the first cell; its rows are the clusters of the second cell in which it
// has a partner within reach: a row is one atom against eight. Clusters that no row names are not
// looked at, get no forces and are not in messages.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "makespan/apps/melt/clusters.hpp"

namespace makespan::melt {

// A cluster of the second cell while a kernel runs.
struct alignas(64) ClusterSlot {
  ClusterVectors positions;
  ClusterVectors forces;  // in units of 24 ε/σ
};
inline constexpr int slot_doubles = 2 * cluster_doubles;
static_assert(sizeof(ClusterSlot) == sizeof(double) * slot_doubles);

struct PairEntry {
  std::uint32_t position = 0;  // of the atom's x in the first cell's positions, in doubles
  std::uint32_t force = 0;     // of its force's x in the first cell's forces, in doubles
  std::uint32_t rows = 0;      // how many; they follow those of the entry before

  template <class Archive>
  void serialize(Archive& archive) {
    archive(position, force, rows);
  }
};

// Within one cell, an atom's first row is its own cluster, of which those after it count.
struct PairList {
  std::vector<std::int32_t> first_clusters;   // of the first cell that have entries, ascending
  std::vector<std::int32_t> second_clusters;  // of the second cell that have rows, ascending
  std::vector<PairEntry> entries;             // by atom
  std::vector<std::uint32_t> rows;            // where the slot is among the slots, in doubles

  template <class Archive>
  void serialize(Archive& archive) {
    archive(first_clusters, second_clusters, entries, rows);
  }
};

// Two clusters, and which atoms of the first have a partner in the second, as bits.
struct ClusterPair {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  std::uint32_t atoms = 0;
};

enum class Pairs : std::uint8_t { between_cells, within_cell };

// The list of what the search found, by first cluster; `first` and `second` are how many clusters
// the cells have. Tested by tests/apps/melt/pair_list_test.cpp.
PairList pair_list_of(std::span<ClusterPair const> found, Pairs pairs, std::int64_t first,
                      std::int64_t second);

// Of a list from elsewhere: throws InputError unless clusters ascend from 0 on, each entry is an
// atom of them with a place for its force, and rows are as many as entries say, each of a slot.
void expect_sound(PairList const& list, Pairs pairs);

// Whether numbers ascend and are at least 0, as those of clusters do.
bool is_ascending(std::span<std::int32_t const> clusters);

}  // namespace makespan::melt

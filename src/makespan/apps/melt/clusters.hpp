// SPDX-License-Identifier: Apache-2.0
// Atoms by eights: what kernels read and write.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "makespan/apps/melt/atom.hpp"

namespace makespan::melt {

inline constexpr int cluster_atoms = 8;
// From one cluster to the next, in doubles.
inline constexpr int cluster_doubles = 3 * cluster_atoms;
// Where atoms that are not there are said to be: no pair with them is within any cutoff, and the
// square of the distance is still a number.
inline constexpr double nowhere = 1e10;

// A vector in space for each of 8 atoms, components apart.
struct alignas(64) ClusterVectors {
  std::array<std::array<double, cluster_atoms>, 3> axis;

  // All 8 the same.
  static ClusterVectors filled(double value);

  // For cereal, and what is like it.
  template <class Archive>
  void serialize(Archive& archive) {
    archive(axis);
  }
};
static_assert(sizeof(ClusterVectors) == sizeof(double) * cluster_doubles);

// The atoms of one cell as others see them.
struct ClusterSet {
  std::int64_t atoms = 0;                 // the last cluster may be short of some: nowhere
  std::vector<ClusterVectors> positions;  // by cluster
  // The boxes that bound clusters, 8 clusters to an element; where there is no cluster, nowhere.
  std::vector<ClusterVectors> low;
  std::vector<ClusterVectors> high;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(atoms, positions, low, high);
  }
};

// How many clusters so many atoms fill.
std::int64_t cluster_count(std::int64_t atoms);

// Puts the atoms of a cell into the order in which each 8 are close together: slabs of whole
// clusters along x, each cut into columns along y, each in the order of z. A function of the set of
// atoms: the order in which they come makes no difference (ties: the smaller id first).
// `sides`: of the cell, all above 0. Ids are unique.
//
// Source: S. T. Leutenegger, M. A. Lopez, J. Edgington, "STR: a simple and efficient algorithm for
// R-tree packing", ICDE 1997, doi:10.1109/ICDE.1997.582015; ours makes slabs as thick as clusters
// are long, whatever the cell's shape. Tested by tests/apps/melt/clusters_test.cpp.
void put_in_cluster_order(std::span<Atom> atoms, Vector3 const& sides);

// Clusters of the atoms in their order, with the boxes around them.
ClusterSet clusters_of(std::span<Atom const> atoms);

// Of a set from elsewhere: throws InputError where it has not as many clusters as its atoms fill,
// or not a box for each.
void expect_sound(ClusterSet const& set);

}  // namespace makespan::melt

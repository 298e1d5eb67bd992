// SPDX-License-Identifier: Apache-2.0
// The atoms of one cell, and how they move: velocity Verlet, constant energy.
//
// A step, as its caller drives it: kick_and_drift; every rebuild_steps steps take_leavers,
// take_in what the neighbours sent, and settle; positions to the computes; set_forces; kick.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "makespan/apps/melt/atom.hpp"
#include "makespan/apps/melt/cell_grid.hpp"
#include "makespan/apps/melt/clusters.hpp"
#include "makespan/apps/melt/force_compute.hpp"

namespace makespan::melt {

// Atoms that go to neighbours, by direction (cell_grid.hpp); none goes to the cell itself.
using Leavers = std::array<std::vector<Atom>, direction_count>;

// A value that can be sent elsewhere between any two calls; not for two threads at once.
// Tested by tests/apps/melt/cell_test.cpp.
class Cell {
 public:
  Cell() = default;
  // Its atoms, in any order, settled; none has a force yet.
  Cell(CellGrid const& grid, int index, std::vector<Atom> atoms);

  int index() const { return index_; }
  std::int64_t atom_count() const { return static_cast<std::int64_t>(ids_.size()); }
  // What computes need at a rebuild; between rebuilds its positions are enough.
  ClusterSet const& clusters() const { return clusters_; }
  std::span<ClusterVectors const> positions() const { return clusters_.positions; }
  std::span<ClusterVectors const> forces() const { return forces_; }
  // All that it has, in its order; where an atom is, which may be outside the box.
  std::vector<Atom> atoms() const;

  // Half a step of acceleration, then a step of motion.
  void kick_and_drift(Kernels const& kernels, double time_step);
  // Half a step of acceleration.
  void kick(Kernels const& kernels, double time_step);
  // Sets the forces to the sum of the contributions, in this order: that of CellGrid::feeds().
  // Throws InputError for one of other clusters than the cell has.
  void set_forces(Kernels const& kernels, std::span<ForceContribution const* const> contributions);

  // Takes out those that are in other cells by now, wrapped into the box. Throws InputError where
  // one has come further than a neighbour, or the cell is none of the grid. The cell is of no use
  // until it is settled.
  Leavers take_leavers(CellGrid const& grid);
  // Takes in what a neighbour sent; any order of neighbours and atoms gives the same cell. Expects
  // positions that are numbers.
  void take_in(std::span<Atom const> arrivals);
  // Puts the atoms in order, by clusters. Forces are 0 until they are set.
  void settle();

  // The sum of v²/2 over its atoms, in a fixed order.
  double kinetic_energy() const;
  // The sum of v, likewise.
  Vector3 momentum() const;

  // Of one from elsewhere: throws InputError unless all that it has is of as many atoms.
  void expect_sound() const;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(index_, sides_, ids_, clusters_, velocities_, forces_);
  }

 private:
  int index_ = 0;
  Vector3 sides_{};
  std::vector<std::int64_t> ids_;  // in the clusters' order; none for those that are not there
  ClusterSet clusters_;
  std::vector<ClusterVectors> velocities_;  // by cluster; 0 for atoms that are not there
  std::vector<ClusterVectors> forces_;      // likewise
  std::vector<Atom> unsettled_;             // those that stay or have come, during a rebuild
};

}  // namespace makespan::melt

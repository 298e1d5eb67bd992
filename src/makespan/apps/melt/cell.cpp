// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/melt/cell.hpp"

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

#include "makespan/apps/melt/refusal.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/number_text.hpp"

namespace makespan::melt {
namespace {

// One tree (docs/decisions/0060): the same additions with vectors of any length, and with none.
double sum_of_eight(std::array<double, cluster_atoms> const& x) {
  return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
}

[[noreturn]] void refuse_leaver(Atom const& atom, int cell) {
  throw InputError("atom " + std::to_string(atom.id) + " left cell " + std::to_string(cell) +
                       " and its neighbours between two rebuilds",
                   "forces have missed some of its partners",
                   "take a smaller time_step or temperature");
}

int direction_of(Atom const& atom, CellGrid const& grid, int cell) {
  try {
    return grid.direction_to(cell, grid.cell_of(atom.position));
  } catch (std::out_of_range const&) {
    refuse_leaver(atom, cell);
  }
}

// Before it is added up by these numbers.
void expect_within(ForceContribution const& contribution, std::int64_t clusters) {
  auto const& named = contribution.clusters;
  bool const is_known = named.empty() || (is_ascending(named) && named.back() < clusters);
  if (is_known && named.size() == contribution.forces.size()) return;
  refuse("forces on " + std::to_string(named.size()) + " clusters, " +
             std::to_string(contribution.forces.size()) + " of them given",
         "the cell has " + std::to_string(clusters) +
             ", which a contribution names in their order, each with its forces");
}

}  // namespace

Cell::Cell(CellGrid const& grid, int index, std::vector<Atom> atoms)
    : index_(index), sides_(grid.cell_sides()), unsettled_(std::move(atoms)) {
  settle();
}

std::vector<Atom> Cell::atoms() const {
  std::vector<Atom> atoms;
  atoms.reserve(ids_.size());
  for (std::size_t i = 0; i < ids_.size(); ++i) {
    Atom atom{.id = ids_[i]};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      atom.position[axis] = clusters_.positions[i / cluster_atoms].axis[axis][i % cluster_atoms];
      atom.velocity[axis] = velocities_[i / cluster_atoms].axis[axis][i % cluster_atoms];
    }
    atoms.push_back(atom);
  }
  return atoms;
}

// Velocity Verlet: this is the first half of a step, kick() with the new forces the second.
void Cell::kick_and_drift(Kernels const& kernels, double time_step) {
  kick(kernels, time_step);
  kernels.add_scaled(clusters_.positions, time_step, velocities_.data());
}

void Cell::kick(Kernels const& kernels, double time_step) {
  kernels.add_scaled(velocities_, time_step / 2, forces_.data());
}

void Cell::set_forces(Kernels const& kernels,
                      std::span<ForceContribution const* const> contributions) {
  forces_.assign(velocities_.size(), {});
  for (ForceContribution const* const contribution : contributions) {
    expect_within(*contribution, std::ssize(forces_));
    kernels.add_contribution(contribution->clusters, contribution->forces.data(), forces_.data());
  }
}

Leavers Cell::take_leavers(CellGrid const& grid) {
  // Its sides say into how many slabs its atoms are cut.
  if (index_ < 0 || index_ >= grid.cells() || sides_ != grid.cell_sides()) {
    refuse("cell " + std::to_string(index_) + ", " + short_text(sides_[0]) + " thick along x",
           "this run has " + std::to_string(grid.cells()) + ", " +
               short_text(grid.cell_sides()[0]) + " thick");
  }
  Leavers leavers;
  for (Atom& atom : atoms()) {
    // Only at a rebuild: until then lists, and the shifts of computes, go by positions that do not
    // jump.
    atom.position = grid.wrapped(atom.position);
    // wrapped() moves it by one box at most: what is still outside came further, or is no number.
    if (!grid.is_in_box(atom.position)) refuse_leaver(atom, index_);
    bool const stays = grid.cell_of(atom.position) == index_;
    auto const direction = stays ? 0 : direction_of(atom, grid, index_);
    (stays ? unsettled_ : leavers[static_cast<std::size_t>(direction)]).push_back(atom);
  }
  ids_.clear();
  return leavers;
}

void Cell::take_in(std::span<Atom const> arrivals) {
  unsettled_.insert(unsettled_.end(), arrivals.begin(), arrivals.end());
}

void Cell::settle() {
  put_in_cluster_order(unsettled_, sides_);
  clusters_ = clusters_of(unsettled_);
  // 0 also for the places of the last cluster that no atom has: they add nothing to sums.
  velocities_.assign(clusters_.positions.size(), {});
  forces_.assign(clusters_.positions.size(), {});
  ids_.clear();
  for (std::size_t i = 0; i < unsettled_.size(); ++i) {
    ids_.push_back(unsettled_[i].id);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      velocities_[i / cluster_atoms].axis[axis][i % cluster_atoms] = unsettled_[i].velocity[axis];
    }
  }
  unsettled_.clear();
}

void Cell::expect_sound() const {
  melt::expect_sound(clusters_);
  std::size_t const clusters = clusters_.positions.size();
  if (std::ssize(ids_) == clusters_.atoms && velocities_.size() == clusters &&
      forces_.size() == clusters) {
    return;
  }
  refuse("a cell of " + std::to_string(clusters_.atoms) + " atoms with " +
             std::to_string(ids_.size()) + " ids, velocities of " +
             std::to_string(velocities_.size()) + " clusters and forces of " +
             std::to_string(forces_.size()),
         "it has " + std::to_string(clusters) + " clusters, of which each has both");
}

double Cell::kinetic_energy() const {
  std::array<double, cluster_atoms> lanes{};
  for (ClusterVectors const& velocity : velocities_) {
    for (auto const& components : velocity.axis) {
      for (std::size_t i = 0; i < cluster_atoms; ++i) lanes[i] += components[i] * components[i];
    }
  }
  return sum_of_eight(lanes) / 2;
}

Vector3 Cell::momentum() const {
  Vector3 sum{};
  for (ClusterVectors const& velocity : velocities_) {
    for (std::size_t axis = 0; axis < 3; ++axis) sum[axis] += sum_of_eight(velocity.axis[axis]);
  }
  return sum;
}

}  // namespace makespan::melt

// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/melt/serial_melt.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "makespan/apps/melt/filled_cells.hpp"
#include "makespan/apps/melt/lattice.hpp"

namespace makespan::melt {
namespace {

template <class Element>
Element& at(std::vector<Element>& elements, int index) {
  return elements[static_cast<std::size_t>(index)];
}

}  // namespace

SerialMelt::SerialMelt(MeltSettings const& settings, Kernels const& kernels)
    : settings_(settings), kernels_(&kernels), grid_(settings) {
  cells_ = filled_cells(grid_, initial_atoms(settings));
  for (int index = 0; index < grid_.computes(); ++index) {
    computes_.emplace_back(grid_, settings, index);
  }
  rebuild();
  compute_forces(Measure::forces_and_sums);
  for (Cell& cell : cells_) sum_forces(cell);
}

void SerialMelt::exchange() {
  for (Cell& cell : cells_) {
    // A cell settles after all have sent, so that it does not matter who sends first.
    Leavers const leavers = cell.take_leavers(grid_);
    for (int direction = 0; direction < direction_count; ++direction) {
      auto const& to_neighbour = leavers[static_cast<std::size_t>(direction)];
      if (!to_neighbour.empty()) {
        at(cells_, grid_.neighbour(cell.index(), direction)).take_in(to_neighbour);
      }
    }
  }
  for (Cell& cell : cells_) cell.settle();
}

void SerialMelt::rebuild() {
  for (ForceCompute& compute : computes_) {
    compute.rebuild(*kernels_, at(cells_, compute.cells().first).clusters(),
                    at(cells_, compute.cells().second).clusters(), scratch_);
  }
}

void SerialMelt::compute_forces(Measure measure) {
  for (ForceCompute& compute : computes_) {
    compute.run(*kernels_, at(cells_, compute.cells().first).positions(),
                at(cells_, compute.cells().second).positions(), measure, scratch_);
  }
}

void SerialMelt::sum_forces(Cell& cell) {
  std::array<ForceContribution const*, direction_count> contributions{};
  auto const feeds = grid_.feeds(cell.index());
  std::ranges::transform(feeds, contributions.begin(), [this](Feed const& feed) {
    return &at(computes_, feed.compute).forces(feed.side);
  });
  cell.set_forces(*kernels_, contributions);
}

void SerialMelt::step(Measure measure) {
  ++step_;
  for (Cell& cell : cells_) cell.kick_and_drift(*kernels_, settings_.time_step);
  if (step_ % settings_.rebuild_steps == 0) {
    exchange();
    rebuild();
  }
  compute_forces(measure);
  for (Cell& cell : cells_) {
    sum_forces(cell);
    cell.kick(*kernels_, settings_.time_step);
  }
}

std::vector<Thermo> SerialMelt::run() {
  std::vector<Thermo> lines{thermo()};
  while (step_ < settings_.steps) {
    std::int64_t const next = step_ + 1;
    bool const measured = next % settings_.thermo_steps == 0 || next == settings_.steps;
    step(measured ? Measure::forces_and_sums : Measure::forces);
    if (measured) lines.push_back(thermo());
  }
  return lines;
}

Thermo SerialMelt::thermo() const {
  MeltSums sums;
  for (Cell const& cell : cells_) sums.kinetic += cell.kinetic_energy();
  for (ForceCompute const& compute : computes_) sums += {.kinetic = 0, .pairs = compute.sums()};
  return thermo_of(settings_, step_, sums);
}

std::vector<Atom> SerialMelt::atoms() const {
  std::vector<Atom> all;
  for (Cell const& cell : cells_) {
    auto const own = cell.atoms();
    all.insert(all.end(), own.begin(), own.end());
  }
  std::ranges::sort(all, {}, &Atom::id);
  return all;
}

std::int64_t SerialMelt::pairs_closer_than(double distance) const {
  std::int64_t count = 0;
  for (ForceCompute const& compute : computes_) {
    count += compute.pairs_closer_than(
        distance, *kernels_, cells_[static_cast<std::size_t>(compute.cells().first)].positions(),
        cells_[static_cast<std::size_t>(compute.cells().second)].positions());
  }
  return count;
}

}  // namespace makespan::melt

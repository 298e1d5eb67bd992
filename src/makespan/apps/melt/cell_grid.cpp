// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/melt/cell_grid.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace makespan::melt {
namespace {

Counts3 offset_of(int direction) {
  return {direction / 9 - 1, direction / 3 % 3 - 1, direction % 3 - 1};
}

Vector3 checked_box(MeltSettings const& settings) {
  check(settings);
  return box_sides(settings);
}

// 0 … count - 1, once around at most.
int around(int place, int count) {
  if (place < 0) return place + count;
  return place >= count ? place - count : place;
}

}  // namespace

CellGrid::CellGrid(MeltSettings const& settings)
    : counts_(settings.cells), box_(checked_box(settings)) {
  std::vector<std::vector<Feed>> feeds(static_cast<std::size_t>(cells()));
  // In the order of computes, for each cell too: forces are summed in it, and CellObject finds a
  // compute's place among the feeds by bisection.
  for (int index = 0; index < computes(); ++index) {
    ComputeCells const pair = compute(index);
    feeds[static_cast<std::size_t>(pair.first)].push_back({index, Side::first});
    if (!pair.is_self()) {
      feeds[static_cast<std::size_t>(pair.second)].push_back({index, Side::second});
    }
  }
  for (auto const& of_cell : feeds) feeds_.insert(feeds_.end(), of_cell.begin(), of_cell.end());
}

Vector3 CellGrid::cell_sides() const {
  Vector3 sides = box_;
  for (std::size_t axis = 0; axis < 3; ++axis) sides[axis] /= counts_[axis];
  return sides;
}

Vector3 CellGrid::wrapped(Vector3 position) const {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double& x = position[axis];
    if (x < 0) x += box_[axis];
    if (x >= box_[axis]) x -= box_[axis];  // also where the sum above was rounded up to the side
  }
  return position;
}

bool CellGrid::is_in_box(Vector3 const& position) const {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!(position[axis] >= 0 && position[axis] < box_[axis])) return false;
  }
  return true;
}

int CellGrid::cell_of(Vector3 const& position) const {
  Counts3 place{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double const cells_before = std::floor(position[axis] * counts_[axis] / box_[axis]);
    // Just below the box's side the quotient may be rounded up to the count.
    place[axis] = std::clamp(static_cast<int>(cells_before), 0, counts_[axis] - 1);
  }
  return cell_at(place);
}

int CellGrid::neighbour(int cell, int direction) const {
  Counts3 place = place_of(cell);
  Counts3 const offset = offset_of(direction);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    place[axis] = around(place[axis] + offset[axis], counts_[axis]);
  }
  return cell_at(place);
}

int CellGrid::direction_to(int cell, int other) const {
  for (int direction = 0; direction < direction_count; ++direction) {
    if (neighbour(cell, direction) == other) return direction;
  }
  throw std::out_of_range("cells " + std::to_string(cell) + " and " + std::to_string(other) +
                          " are not neighbours");
}

ComputeCells CellGrid::compute(int index) const {
  int const cell = index / computes_per_cell;
  int const direction = direction_to_itself + index % computes_per_cell;
  Counts3 const place = place_of(cell);
  Counts3 const offset = offset_of(direction);
  ComputeCells pair{cell, neighbour(cell, direction), {}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    int const beside = place[axis] + offset[axis];
    if (beside < 0) pair.shift[axis] = -box_[axis];
    if (beside >= counts_[axis]) pair.shift[axis] = box_[axis];
  }
  return pair;
}

std::span<Feed const> CellGrid::feeds(int cell) const {
  return std::span(feeds_).subspan(static_cast<std::size_t>(cell) * direction_count,
                                   direction_count);
}

Counts3 CellGrid::place_of(int cell) const {
  return {cell / (counts_[1] * counts_[2]), cell / counts_[2] % counts_[1], cell % counts_[2]};
}

int CellGrid::cell_at(Counts3 const& place) const {
  return (place[0] * counts_[1] + place[1]) * counts_[2] + place[2];
}

}  // namespace makespan::melt

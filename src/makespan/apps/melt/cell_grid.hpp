// SPDX-License-Identifier: Apache-2.0
// Who is where: the cells into which the box is cut, and the computes between them.
//
// Cells are numbered with z fastest. Each cell has 14 computes, numbered cell · 14 + k: k = 0 is
// the pairs within the cell, k = 1 … 13 those with the 13 neighbours of the upper half (the
// greater offset, x before y before z). So each pair of neighbouring cells has one compute, and
// each cell gets forces from 27. That is LeanMD's decomposition, one cell away.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "makespan/apps/melt/settings.hpp"

namespace makespan::melt {

inline constexpr int computes_per_cell = 14;
// Directions to neighbours, itself included: ((dx + 1) · 3 + dy + 1) · 3 + dz + 1.
inline constexpr int direction_count = 27;
inline constexpr int direction_to_itself = direction_count / 2;

// Which of a compute's two cells.
enum class Side : std::uint8_t { first, second };

// The cells whose pairs of atoms a compute takes.
struct ComputeCells {
  int first = 0;
  int second = 0;   // the same for the pairs within a cell
  Vector3 shift{};  // to be added to the second's positions, so that they lie beside the first's

  bool is_self() const { return first == second; }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(first, second, shift);
  }
};

// A compute that gives a cell forces, and as which of the compute's cells.
struct Feed {
  int compute = 0;
  Side side = Side::first;
};

// Immutable. Tested by tests/apps/melt/cell_grid_test.cpp.
class CellGrid {
 public:
  // Throws InputError as check() does.
  explicit CellGrid(MeltSettings const& settings);

  int cells() const { return counts_[0] * counts_[1] * counts_[2]; }
  int computes() const { return cells() * computes_per_cell; }
  Vector3 const& box() const { return box_; }
  Vector3 cell_sides() const;

  // The position's image in the box: each coordinate in [0, side).
  Vector3 wrapped(Vector3 position) const;
  // False for what is no number, too.
  bool is_in_box(Vector3 const& position) const;
  // The cell of a position in the box.
  int cell_of(Vector3 const& position) const;
  // The cell that lies in that direction.
  int neighbour(int cell, int direction) const;
  // The direction in which `other` lies; throws std::out_of_range where they are not neighbours.
  int direction_to(int cell, int other) const;

  ComputeCells compute(int index) const;
  // The 27 computes that feed a cell, by number: the order in which its forces are summed.
  std::span<Feed const> feeds(int cell) const;

 private:
  Counts3 place_of(int cell) const;
  int cell_at(Counts3 const& place) const;

  Counts3 counts_;
  Vector3 box_;
  std::vector<Feed> feeds_;  // 27 a cell
};

}  // namespace makespan::melt

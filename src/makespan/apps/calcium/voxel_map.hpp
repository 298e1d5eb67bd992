// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which region each voxel of the whole grid is in, row by row.
//
// A row, along x, is kept as runs of one region; rows that are the same are kept once. So the map
// of a grid of any size fits everywhere, and is the same wherever the grid is cut.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "makespan/grid/cut/box.hpp"
#include "makespan/grid/cut/halo_parts.hpp"

namespace makespan::calcium {

enum class Region : std::uint8_t {
  cytosol,
  near_cytosol,  // around the T-tubule, without troponin
  cleft,         // between T-tubule and SR; without troponin
  t_tubule,      // outside of the cell: nothing changes, nothing passes
  jsr,           // junctional SR
};
inline constexpr int region_count = 5;

// From where the run before it ends up to, but not at, `end`.
struct RegionRun {
  std::int64_t end{};
  Region region{};

  friend bool operator==(RegionRun const&, RegionRun const&) = default;
};

// Tested by tests/apps/calcium/voxel_map_test.cpp.
class VoxelMap {
 public:
  // `row_at(y, z)` gives the runs of that row, in order, the last one up to the grid's end.
  // `points` are at least 1 along each axis.
  using RowAt = std::function<std::vector<RegionRun>(std::int64_t y, std::int64_t z)>;
  VoxelMap(grid::Point points, grid::Wraps wraps, RowAt const& row_at);

  [[nodiscard]] grid::Point points() const { return points_; }
  // Beyond an end of the grid: the other end's where it wraps, else the nearest voxel's.
  [[nodiscard]] Region region(grid::Point at) const;
  // Rows of one number are the same. Of rows beyond an end, likewise.
  [[nodiscard]] std::uint32_t row_number(std::int64_t y, std::int64_t z) const;
  [[nodiscard]] std::span<RegionRun const> runs(std::uint32_t row_number) const;
  // Of the row with that number, at x; beyond its ends likewise.
  [[nodiscard]] Region region_in_row(std::uint32_t row_number, std::int64_t x) const;
  [[nodiscard]] bool holds(Region region) const;

 private:
  grid::Point points_;
  grid::Wraps wraps_;
  std::vector<std::uint32_t> row_numbers_;    // by y, then z
  std::vector<std::vector<RegionRun>> rows_;  // by number
};

// The map of regions that are given voxel by voxel, along x first.
[[nodiscard]] VoxelMap voxel_map_of(grid::Point points, grid::Wraps wraps,
                                    std::span<Region const> regions);

}  // namespace makespan::calcium

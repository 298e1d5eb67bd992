// SPDX-License-Identifier: Apache-2.0
#pragma once

// A row of voxels in pieces: those along which neither the region nor any of the neighbours'
// changes, so that all their points have the same factors; and the others.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "makespan/apps/calcium/voxel_map.hpp"
#include "makespan/grid/cut/box.hpp"
#include "makespan/grid/cut/faces.hpp"

namespace makespan::calcium {

// Points of a cache line: pieces begin and end at these.
inline constexpr std::int64_t line_points = 8;

[[nodiscard]] constexpr std::int64_t line_begin(std::int64_t x) {
  return x - ((x % line_points) + line_points) % line_points;
}

// A voxel's region, and those beyond its faces.
struct Neighbourhood {
  Region own{};
  std::array<Region, grid::face_count> beyond{};  // by face

  friend bool operator==(Neighbourhood const&, Neighbourhood const&) = default;
};

enum class Mixture : std::uint8_t {
  uniform,  // all points of the segment have the same neighbourhood
  mixed,    // point by point
};

struct Segment {
  std::int64_t begin{};
  std::int64_t end{};
  Mixture mixture{};
  Neighbourhood around{};  // of a uniform one

  friend bool operator==(Segment const&, Segment const&) = default;
};

// What the finder looks for; `mixed` takes the general way everywhere, for tests.
enum class Finding : std::uint8_t { uniform_pieces, mixed_only };

// Tested by tests/apps/calcium/row_segments_test.cpp.
class RowSegments {
 public:
  // Rows whose point x = 0 is at `first.x` of the whole grid.
  RowSegments(VoxelMap const& map, grid::Point first, Finding finding);

  // Pieces of the row (y, z), counted from `first`, that cover its points from `begin` to `end`, to
  // whole lines. Good until the next call.
  [[nodiscard]] std::span<Segment const> find(std::int64_t y, std::int64_t z, std::int64_t begin,
                                              std::int64_t end);
  // The end, at most `y_end`, of the rows of plane z from y on whose pieces are those of row y.
  [[nodiscard]] std::int64_t rows_alike(std::int64_t y, std::int64_t z, std::int64_t y_end) const;

 private:
  // The row's number and those of its neighbours along y and z.
  using RowNumbers = std::array<std::uint32_t, 5>;
  [[nodiscard]] RowNumbers rows_around(std::int64_t y, std::int64_t z) const;
  void find_pieces(RowNumbers const& rows, std::int64_t begin, std::int64_t end);
  void add(Segment const& piece);

  VoxelMap const& map_;
  grid::Point first_;
  Finding finding_;
  RowNumbers rows_{};
  std::int64_t begin_{0};
  std::int64_t end_{-1};  // of the last answer
  std::vector<Segment> pieces_{};
};

// The neighbourhood of a line's points, the first one of which is at `first` of the whole grid.
[[nodiscard]] std::array<Neighbourhood, line_points> line_neighbours(VoxelMap const& map,
                                                                     grid::Point first);

}  // namespace makespan::calcium

// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a point has to know of the regions around it, in two bytes: for devices that compute every
// point by itself.

#include <cstdint>
#include <vector>

#include "makespan/apps/calcium/kernels.hpp"
#include "makespan/apps/calcium/sources.hpp"
#include "makespan/apps/calcium/voxel_map.hpp"
#include "makespan/grid/cut/box.hpp"
#include "makespan/grid/cut/faces.hpp"

namespace makespan::calcium {

// Its region, which of its faces let pass, whether it has sources, and how many of its faces are
// membrane with pumps.
class PointCode {
 public:
  constexpr PointCode() = default;
  explicit constexpr PointCode(Region region) : bits_{static_cast<std::uint16_t>(region)} {}

  constexpr void open(grid::Face face) { set(region_bits + static_cast<int>(face)); }
  constexpr void add_source() { set(region_bits + grid::face_count); }
  constexpr void set_membrane(int faces) {
    bits_ = static_cast<std::uint16_t>(bits_ | faces << membrane_bit);
  }

  [[nodiscard]] constexpr int region() const { return bits_ & ((1 << region_bits) - 1); }
  [[nodiscard]] constexpr bool passes(grid::Face face) const {
    return has(region_bits + static_cast<int>(face));
  }
  [[nodiscard]] constexpr bool has_source() const { return has(region_bits + grid::face_count); }
  [[nodiscard]] constexpr int membrane_faces() const { return bits_ >> membrane_bit; }

 private:
  static constexpr int region_bits = 3;
  static_assert(region_count <= 1 << region_bits);
  static constexpr int membrane_bit = region_bits + grid::face_count + 1;
  static_assert(grid::face_count < 1 << (16 - membrane_bit));

  constexpr void set(int bit) { bits_ = static_cast<std::uint16_t>(bits_ | 1 << bit); }
  [[nodiscard]] constexpr bool has(int bit) const { return (bits_ >> bit & 1) != 0; }

  std::uint16_t bits_{};
};

// Those of a box of the grid, along x first. Tested by
// tests/apps/calcium/gpu/point_codes_test.cpp.
[[nodiscard]] std::vector<PointCode> point_codes(VoxelMap const& map, Factors const& factors,
                                                 Sources const& sources, grid::Box const& box);

}  // namespace makespan::calcium

// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is where around a calcium release unit.
//
// A T-tubule runs along x through the middle of the grid: a cylinder. Around its middle lies the
// junctional SR, a pancake wrapped about the tubule at the cleft's height: a sector of a shell
// whose middle looks up, along z, as long along the tubule as it is wide around it, measured at its
// inner face. The cleft is what is between the two; release channels (RyR) sit on the faces between
// SR and cleft, in a square lattice around the sector's middle, and channels of the tubule's
// membrane (LCC) in a row below them. The sizes are Walker et al.'s (Biophys. J. 107 (2014) 3009,
// nominal mesh). The tubule runs along x, where theirs is along z, because rows of voxels do:
// nearly all of them then lie in one region.

#include <cstdint>
#include <vector>

#include "makespan/apps/calcium/voxel_map.hpp"
#include "makespan/grid/cut/box.hpp"
#include "makespan/grid/cut/faces.hpp"
#include "makespan/grid/cut/halo_parts.hpp"

namespace makespan::calcium {

enum class Layout : std::uint8_t {
  plain,         // cytosol, all of it
  release_unit,  // as above
};

// Lengths in µm.
struct Geometry {
  Layout layout = Layout::release_unit;
  double tubule_radius = 0.11;  // 23 segments of 30 nm around
  double cleft_height = 0.015;  // at least a voxel
  double jsr_length = 0.465;    // along the tubule
  double jsr_width = 0.465;     // around it
  double jsr_thickness = 0.040;
  double troponin_radius = 0.20;  // from the tubule's axis; none nearer
  int ryr_per_side = 7;
  double ryr_pitch = 0.031;
  int lcc_count = 7;  // as far apart
};

// The voxels: `points` along each axis, cubes of side `spacing` [µm]. Voxel i of an axis is around
// (i + 1/2) spacing.
struct Voxels {
  grid::Point points{};
  double spacing{};
  grid::Wraps wraps{};
};

// What a map of regions is made for, and all voxels together: more is refused before any memory is
// taken.
inline constexpr std::int64_t rows_max = std::int64_t{1} << 28;  // a GiB of their numbers
inline constexpr std::int64_t voxels_max = std::int64_t{1} << 40;

// Throws InputError for the first number that cannot be worked with, and for regions that are
// thinner than a voxel or larger than the grid. Tested by tests/apps/calcium/geometry_test.cpp.
void check(Geometry const& geometry, Voxels const& voxels);

[[nodiscard]] Region region_at(Geometry const& geometry, Voxels const& voxels, grid::Point at);

// The same of all voxels.
[[nodiscard]] VoxelMap voxel_map_of(Geometry const& geometry, Voxels const& voxels);

// The area of the T-tubule's membrane, a cylinder, over that of its voxels' faces: some π/4.
[[nodiscard]] double tubule_area_share(Geometry const& geometry, Voxels const& voxels);

// A channel: the voxel of the cleft into which it opens, and, of a RyR, the face of this voxel
// behind which the SR lies.
struct IonChannel {
  grid::Point voxel{};
  grid::Face face{};
};

// By number: along the tubule first. A RyR sits where the straight line from the tubule to its
// place in the lattice, along y or z, whichever is nearer, enters the SR.
[[nodiscard]] std::vector<IonChannel> ryr_channels(Geometry const& geometry, Voxels const& voxels);
[[nodiscard]] std::vector<IonChannel> lcc_channels(Geometry const& geometry, Voxels const& voxels);

}  // namespace makespan::calcium

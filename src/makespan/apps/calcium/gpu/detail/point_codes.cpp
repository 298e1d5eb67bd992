// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/calcium/gpu/detail/point_codes.hpp"

#include <cstddef>

#include "makespan/apps/calcium/row_segments.hpp"

namespace makespan::calcium {

namespace {

PointCode code_of(Neighbourhood const& around, Factors const& factors) {
  PointCode code(around.own);
  auto const& passes = factors.passes[static_cast<std::size_t>(around.own)];
  for (int face = 0; face < grid::face_count; ++face) {
    auto const beyond = static_cast<std::size_t>(around.beyond[static_cast<std::size_t>(face)]);
    if (passes[beyond]) code.open(static_cast<grid::Face>(face));
  }
  code.set_membrane(membrane_faces(around, factors));
  return code;
}

}  // namespace

std::vector<PointCode> point_codes(VoxelMap const& map, Factors const& factors,
                                   Sources const& sources, grid::Box const& box) {
  std::vector<PointCode> codes;
  codes.reserve(static_cast<std::size_t>(box.points()));
  grid::Point const extent = box.extent();
  for (std::int64_t z = box.begin.z; z < box.end.z; ++z) {
    for (std::int64_t y = box.begin.y; y < box.end.y; ++y) {
      for (std::int64_t x = 0; x < extent.x; x += line_points) {
        auto const line = line_neighbours(map, {box.begin.x + x, y, z});
        for (std::int64_t i = 0; i < line_points && x + i < extent.x; ++i) {
          codes.push_back(code_of(line[static_cast<std::size_t>(i)], factors));
        }
      }
    }
  }
  for (Source const& source : sources.all()) {
    if (!box.holds(source.voxel)) continue;
    grid::Point const at = source.voxel - box.begin;
    codes[static_cast<std::size_t>((at.z * extent.y + at.y) * extent.x + at.x)].add_source();
  }
  return codes;
}

}  // namespace makespan::calcium

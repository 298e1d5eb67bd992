// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/calcium/voxel_map.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "makespan/base/checked_cast.hpp"
#include "makespan/base/contracts.hpp"

namespace makespan::calcium {

namespace {

// Where index `i` is of 0 … extent-1.
std::int64_t index_in(std::int64_t i, std::int64_t extent, bool wraps) {
  if (i >= 0 && i < extent) return i;
  if (!wraps) return i < 0 ? 0 : extent - 1;
  return (i % extent + extent) % extent;
}

struct ByRuns {
  bool operator()(std::vector<RegionRun> const& a, std::vector<RegionRun> const& b) const {
    return std::ranges::lexicographical_compare(a, b, [](RegionRun const& x, RegionRun const& y) {
      return std::pair{x.end, x.region} < std::pair{y.end, y.region};
    });
  }
};

}  // namespace

VoxelMap::VoxelMap(grid::Point points, grid::Wraps wraps, RowAt const& row_at)
    : points_{points}, wraps_{wraps} {
  MAKESPAN_EXPECT(points.x >= 1 && points.y >= 1 && points.z >= 1);
  std::map<std::vector<RegionRun>, std::uint32_t, ByRuns> numbers;
  row_numbers_.reserve(static_cast<std::size_t>(points.y * points.z));
  for (std::int64_t z = 0; z < points.z; ++z) {
    for (std::int64_t y = 0; y < points.y; ++y) {
      std::vector<RegionRun> runs = row_at(y, z);
      MAKESPAN_EXPECT(!runs.empty() && runs.back().end == points.x);
      auto const [found, is_new] =
          numbers.try_emplace(runs, checked_cast<std::uint32_t>(rows_.size()));
      if (is_new) rows_.push_back(std::move(runs));
      row_numbers_.push_back(found->second);
    }
  }
}

std::uint32_t VoxelMap::row_number(std::int64_t y, std::int64_t z) const {
  std::int64_t const row_y = index_in(y, points_.y, wraps_.y);
  std::int64_t const row_z = index_in(z, points_.z, wraps_.z);
  return row_numbers_[static_cast<std::size_t>(row_z * points_.y + row_y)];
}

std::span<RegionRun const> VoxelMap::runs(std::uint32_t row_number) const {
  return rows_[row_number];
}

Region VoxelMap::region_in_row(std::uint32_t row_number, std::int64_t x) const {
  std::int64_t const at = index_in(x, points_.x, wraps_.x);
  std::vector<RegionRun> const& row = rows_[row_number];
  return std::ranges::upper_bound(row, at, {}, &RegionRun::end)->region;
}

Region VoxelMap::region(grid::Point at) const {
  return region_in_row(row_number(at.y, at.z), at.x);
}

bool VoxelMap::holds(Region region) const {
  return std::ranges::any_of(rows_, [region](std::vector<RegionRun> const& row) {
    return std::ranges::any_of(row,
                               [region](RegionRun const& run) { return run.region == region; });
  });
}

VoxelMap voxel_map_of(grid::Point points, grid::Wraps wraps, std::span<Region const> regions) {
  MAKESPAN_EXPECT(std::ssize(regions) == points.x * points.y * points.z);
  return {points, wraps, [&](std::int64_t y, std::int64_t z) {
            auto const row =
                regions.subspan(static_cast<std::size_t>((z * points.y + y) * points.x),
                                static_cast<std::size_t>(points.x));
            std::vector<RegionRun> runs;
            for (std::int64_t x = 0; x < points.x; ++x) {
              Region const region = row[static_cast<std::size_t>(x)];
              if (!runs.empty() && runs.back().region == region) {
                runs.back().end = x + 1;
              } else {
                runs.push_back({x + 1, region});
              }
            }
            return runs;
          }};
}

}  // namespace makespan::calcium

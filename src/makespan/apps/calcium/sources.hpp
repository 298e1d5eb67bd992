// SPDX-License-Identifier: Apache-2.0
#pragma once

// Calcium that comes into single voxels, or leaves them, in some steps: open channels, and point
// sources.

#include <cstdint>
#include <span>
#include <vector>

#include "makespan/grid/cut/box.hpp"
#include "makespan/grid/cut/faces.hpp"

namespace makespan::calcium {

// In each of the steps from `step_begin` up to, but not at, `step_end` the voxel gains
// exchange · (c_beyond - c) + amount [µM] of calcium, of the concentrations before the step;
// c_beyond is that of the voxel beyond `face`.
struct Source {
  grid::Point voxel{};  // of the whole grid
  grid::Face face{};
  double exchange{};  // a channel's conductance · Δt over a voxel's volume; at least 0
  double amount{};    // [µM]
  std::int64_t step_begin{};
  std::int64_t step_end{};
};

// Both sides of a channel through a face: what one gains the other loses, to the last bit.
// `channel.voxel` is one of them.
[[nodiscard]] std::vector<Source> both_sides(Source const& channel);

// By rows, for the thread that computes one. Tested by tests/apps/calcium/sources_test.cpp.
class Sources {
 public:
  Sources() = default;
  explicit Sources(std::vector<Source> sources);

  [[nodiscard]] std::span<Source const> all() const { return sources_; }
  // Those in the row (y, z), by x; of one voxel in the order in which they were given.
  [[nodiscard]] std::span<Source const> in_row(std::int64_t y, std::int64_t z) const;
  // The first y, from this one on, with a source in the row (y, z); the largest number if none has.
  [[nodiscard]] std::int64_t next_row(std::int64_t y, std::int64_t z) const;

 private:
  std::vector<Source> sources_;  // by z, y, x
};

// The largest sum of exchanges of one voxel in one step.
[[nodiscard]] double exchange_max(std::span<Source const> sources);

}  // namespace makespan::calcium

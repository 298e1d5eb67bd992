// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether boxes are a box.

#include <cstddef>
#include <cstdint>
#include <span>

#include "makespan/grid/cut/box.hpp"

namespace makespan::grid {

// Whether the boxes have each point of `whole` once, and no other; empty ones have none.
inline bool are_tiles_of(Box const& whole, std::span<Box const> boxes) {
  std::int64_t points = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (boxes[i].is_empty()) continue;
    if (intersection(whole, boxes[i]) != boxes[i]) return false;
    points += boxes[i].points();
    for (Box const& other : boxes.subspan(i + 1)) {
      if (!other.is_empty() && !intersection(boxes[i], other).is_empty()) return false;
    }
  }
  return points == whole.points();
}

}  // namespace makespan::grid

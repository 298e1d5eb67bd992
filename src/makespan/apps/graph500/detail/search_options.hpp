// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a breadth-first search looks for its next level.

#include <cstdint>

namespace makespan::graph500 {

enum class Direction : std::uint8_t {
  top_down,   // from the frontier, for neighbours that are not reached
  bottom_up,  // from vertices that are not reached, for one neighbour in the frontier
  switching,  // whichever has less to look at (detail/direction_switch.hpp)
};

// Defaults are those of the paper's table for graphs of this kind.
struct SearchOptions {
  Direction direction{Direction::switching};
  // To bottom-up where the frontier grows and its edges, times this, are more than those of
  // vertices that are not reached.
  double alpha{14.0};
  // Back where the frontier shrinks, and has less than one in so many vertices.
  double beta{24.0};
};

}  // namespace makespan::graph500

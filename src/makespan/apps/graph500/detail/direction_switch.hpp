// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether the next level of a search is looked for from above or from below.
//
// Source: S. Beamer, K. Asanovic and D. Patterson, "Direction-Optimizing Breadth-First Search",
// SC 2012, https://doi.org/10.1109/SC.2012.50, section 5. From above, all edges of the frontier are
// looked at; from below, the edges of each vertex that is not reached, until one leads to the
// frontier. Pure.

#include <cstdint>

#include "makespan/apps/graph500/detail/search_options.hpp"

namespace makespan::graph500 {

// A frontier: the vertices of a level, and their edges.
struct LevelCounts {
  std::int64_t vertices{0};
  std::int64_t arcs{0};
};

// Tested by tests/apps/graph500/direction_switch_test.cpp.
class DirectionSwitch {
 public:
  // `vertices` are those that can be reached at all.
  DirectionSwitch(SearchOptions const& options, std::int64_t vertices)
      : options_{options}, vertices_{vertices} {}

  // For the level after `frontier`; `arcs_left` are edges of vertices that are not reached.
  Direction next(LevelCounts const& frontier, std::int64_t arcs_left) {
    bool const is_growing = frontier.vertices > before_;
    before_ = frontier.vertices;
    if (options_.direction != Direction::switching) return options_.direction;
    auto const arcs = static_cast<double>(frontier.arcs);
    auto const vertices = static_cast<double>(frontier.vertices);
    if (now_ == Direction::top_down) {
      if (is_growing && arcs * options_.alpha > static_cast<double>(arcs_left)) {
        now_ = Direction::bottom_up;
      }
    } else if (!is_growing && vertices * options_.beta < static_cast<double>(vertices_)) {
      now_ = Direction::top_down;
    }
    return now_;
  }

 private:
  SearchOptions options_;
  std::int64_t vertices_;
  std::int64_t before_{0};
  Direction now_{Direction::top_down};
};

}  // namespace makespan::graph500

// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which boxes hold the points around a box.

#include <cstdint>
#include <span>
#include <vector>

#include "makespan/grid/cut/box.hpp"

namespace makespan::grid {

// What lies beyond the end of the domain along each axis: its other end, or nothing.
struct Wraps {
  bool x{false};
  bool y{false};
  bool z{false};
};

struct PeriodicBox {
  Box box{};
  Wraps wraps{};
};

// Which points around a box are asked for.
enum class HaloShape : std::uint8_t {
  faces,  // straight out of its sides: for stencils along axes, one step
  box,    // edges and corners too: for several steps at once, and for other stencils
};

struct Halo {
  std::int64_t width{1};
  HaloShape shape{HaloShape::faces};
};

// Points of one owner's box that lie around another box, once moved by `shift`: 0, or by the domain
// where they come from beyond its end.
struct HaloPart {
  int owner{};
  Box from{};  // of the owner's points
  Point shift{};

  [[nodiscard]] Box to() const { return moved(from, shift); }
  friend bool operator==(HaloPart const&, HaloPart const&) = default;
};

// The parts that box `receiver` needs around it, by owner, and of one owner in the order of shifts;
// each point there that is in the domain, or beyond an end that wraps, is in one of them. It may be
// its own neighbour. `boxes` share no point, and lie in the domain, which wraps once: a halo is no
// wider than its extent along axes that wrap. Boxes without points need nothing. Tested by
// tests/grid/cut/halo_parts_test.cpp.
[[nodiscard]] std::vector<HaloPart> halo_parts(std::span<Box const> boxes, int receiver,
                                               PeriodicBox const& domain, Halo const& halo);

}  // namespace makespan::grid

// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/cut/halo_parts.hpp"

#include <array>
#include <cstddef>

#include "makespan/base/contracts.hpp"

namespace makespan::grid {

namespace {

// Boxes that together are the halo, and share no point.
std::vector<Box> halo_of(Box const& box, Halo const& halo) {
  std::vector<Box> parts;
  bool const has_corners = halo.shape == HaloShape::box;
  Box const wide = grown(box, halo.width);
  // Layers across z take all of the corners, those across y the edges along x that are left.
  for (bool const is_low : {true, false}) {
    Box z = has_corners ? wide : box;
    z.begin.z = is_low ? wide.begin.z : box.end.z;
    z.end.z = is_low ? box.begin.z : wide.end.z;
    Box y = box;
    if (has_corners) {
      y.begin.x = wide.begin.x;
      y.end.x = wide.end.x;
    }
    y.begin.y = is_low ? wide.begin.y : box.end.y;
    y.end.y = is_low ? box.begin.y : wide.end.y;
    Box x = box;
    x.begin.x = is_low ? wide.begin.x : box.end.x;
    x.end.x = is_low ? box.begin.x : wide.end.x;
    parts.insert(parts.end(), {z, y, x});
  }
  return parts;
}

std::vector<std::int64_t> shifts_along(bool wraps, std::int64_t extent) {
  if (!wraps) return {0};
  // The domain goes on beyond both of its ends. Once is enough: no halo is wider than the domain.
  return {-extent, 0, extent};
}

std::vector<Point> shifts_of(PeriodicBox const& domain) {
  Point const size = domain.box.extent();
  Wraps const& wraps = domain.wraps;
  std::vector<Point> shifts;
  for (std::int64_t const z : shifts_along(wraps.z, size.z)) {
    for (std::int64_t const y : shifts_along(wraps.y, size.y)) {
      for (std::int64_t const x : shifts_along(wraps.x, size.x)) shifts.push_back({x, y, z});
    }
  }
  return shifts;
}

}  // namespace

std::vector<HaloPart> halo_parts(std::span<Box const> boxes, int receiver,
                                 PeriodicBox const& domain, Halo const& halo) {
  Point const size = domain.box.extent();
  MAKESPAN_EXPECT(receiver >= 0 && receiver < std::ssize(boxes));
  MAKESPAN_EXPECT(halo.width >= 0);
  MAKESPAN_EXPECT(!domain.wraps.x || halo.width <= size.x);
  MAKESPAN_EXPECT(!domain.wraps.y || halo.width <= size.y);
  MAKESPAN_EXPECT(!domain.wraps.z || halo.width <= size.z);
  std::vector<HaloPart> parts;
  Box const& mine = boxes[static_cast<std::size_t>(receiver)];
  if (mine.is_empty() || halo.width == 0) return parts;
  Box const wide = grown(mine, halo.width);
  std::vector<Box> const around = halo_of(mine, halo);
  std::vector<Point> shifts = shifts_of(domain);
  // Of many boxes few are near: neither those of most shifts, nor most of the others.
  std::erase_if(shifts, [&](Point const& shift) {
    return intersection(moved(domain.box, shift), wide).is_empty();
  });
  for (int owner = 0; owner < std::ssize(boxes); ++owner) {
    Box const& theirs = boxes[static_cast<std::size_t>(owner)];
    if (theirs.is_empty()) continue;
    for (Point const& shift : shifts) {
      if (intersection(moved(theirs, shift), wide).is_empty()) continue;
      for (Box const& layer : around) {
        Box const met = intersection(moved(theirs, shift), layer);
        if (met.is_empty()) continue;
        parts.push_back({.owner = owner, .from = moved(met, Point{} - shift), .shift = shift});
      }
    }
  }
  return parts;
}

}  // namespace makespan::grid

// SPDX-License-Identifier: Apache-2.0
#pragma once

// What points of a slab see beyond its last ones: for kernels that go point by point.

#include <cstdint>

#include "makespan/grid/cut/box.hpp"
#include "makespan/grid/cut/faces.hpp"
#include "makespan/grid/field/field_view.hpp"

namespace makespan::grid {

// Plain data, for any device. Tested by tests/grid/field/slab_ends_test.cpp.
struct SlabEnds {
  std::int64_t extent[3];  // of the slab, by axis
  Beyond beyond[face_count];

  // On one side of a point that is `at` along the face's axis.
  [[nodiscard]] constexpr Beyond beside(Face face, std::int64_t at) const {
    int const number = static_cast<int>(face);
    std::int64_t const last = number % 2 == 0 ? 0 : extent[number / 2] - 1;
    return at == last ? beyond[number] : Beyond::stored;
  }
};

// What is seen there: `there`, but where a rule says otherwise for a point that is `here`. For
// stencils that look one point far: of a mirrored end that is the point itself.
[[nodiscard]] constexpr double seen(Beyond beyond, double there, double here, double value) {
  if (beyond == Beyond::stored) return there;
  return beyond == Beyond::mirror ? here : value;
}

[[nodiscard]] inline SlabEnds ends_of(FieldView const& view) {
  Point const extent = view.box.extent();
  SlabEnds ends{.extent = {extent.x, extent.y, extent.z}, .beyond = {}};
  for (int face = 0; face < face_count; ++face) {
    ends.beyond[face] = view.beyond(static_cast<Face>(face));
  }
  return ends;
}

}  // namespace makespan::grid

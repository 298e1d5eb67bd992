// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/stencil4d/detail/halo.hpp"

#include <algorithm>
#include <array>

#include "makespan/base/contracts.hpp"

namespace makespan::stencil4d {

namespace {

constexpr double reset_value = 255.0;

// Calls function(offset, step) for the side^2 rows of a layer across `axis`, which run along the
// last of the other axes.
template <class Function>
void for_each_layer_row(int side, int axis, int layer, Function&& function) {
  std::array<std::int64_t, 3> steps{};
  std::size_t count = 0;
  for (int other = 0; other < 4; ++other) {
    if (other != axis) steps[count++] = stride(side, other);
  }
  for (int first = 1; first <= side; ++first) {
    for (int second = 1; second <= side; ++second) {
      function(layer * stride(side, axis) + first * steps[0] + second * steps[1] + steps[2],
               steps[2]);
    }
  }
}

}  // namespace

std::vector<double> face_of(std::span<double const> halo, int side, Direction direction) {
  MAKESPAN_EXPECT(std::ssize(halo) == halo_points(side));
  std::vector<double> face(static_cast<std::size_t>(face_points(side)));
  double* to = face.data();
  int const layer = direction.end == 0 ? 1 : side;
  for_each_layer_row(side, direction.axis, layer, [&](std::int64_t offset, std::int64_t step) {
    double const* const from = halo.data() + offset;
    for (int at = 0; at < side; ++at) to[at] = from[at * step];
    to += side;
  });
  return face;
}

void put_face(std::span<double> halo, int side, Direction direction, std::span<double const> face) {
  MAKESPAN_EXPECT(std::ssize(halo) == halo_points(side));
  MAKESPAN_EXPECT(std::ssize(face) == face_points(side));
  double const* from = face.data();
  int const layer = direction.end == 0 ? 0 : side + 1;
  for_each_layer_row(side, direction.axis, layer, [&](std::int64_t offset, std::int64_t step) {
    double* const to = halo.data() + offset;
    for (int at = 0; at < side; ++at) to[at * step] = from[at];
    from += side;
  });
}

void reset_low_faces(std::span<double> halo, int side) {
  MAKESPAN_EXPECT(std::ssize(halo) == halo_points(side));
  for (int axis = 0; axis < 4; ++axis) {
    for_each_layer_row(side, axis, 1, [&](std::int64_t offset, std::int64_t step) {
      for (int at = 0; at < side; ++at) {
        halo[static_cast<std::size_t>(offset + at * step)] = reset_value;
      }
    });
  }
}

}  // namespace makespan::stencil4d

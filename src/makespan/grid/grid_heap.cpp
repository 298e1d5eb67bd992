// SPDX-License-Identifier: Apache-2.0
// What a grid needs of a runtime's heap, before it is cut.
#include <cstdint>
#include <string>

#include "makespan/base/error.hpp"
#include "makespan/grid/detail/put_pieces.hpp"
#include "makespan/grid/grid.hpp"

namespace makespan::grid {

namespace {

// In doubles, where nothing runs over.
void expect_countable(Point const& size, std::int64_t width, double copies) {
  auto const wide = [&](std::int64_t extent) {
    return static_cast<double>(extent) + 2.0 * static_cast<double>(width);
  };
  double const x = wide(size.x);
  double const y = wide(size.y);
  double const bytes = copies * static_cast<double>(width) * (x * y + wide(size.z) * (x + y));
  if (size.x >= 1 && size.y >= 1 && size.z >= 1 && width >= 0 && bytes <= 0x1p60) return;
  throw InputError("a grid of " + std::to_string(size.x) + " x " + std::to_string(size.y) + " x " +
                       std::to_string(size.z) + " points, with halos of " + std::to_string(width),
                   "it has one at least along each axis, and no more than can be counted",
                   "give it some, or fewer");
}

}  // namespace

std::int64_t Grid::heap_bytes(GridProblem const& problem, StencilShape const& shape, int devices,
                              GridOptions const& options) {
  Point const size = problem.box.extent();
  std::int64_t const width = shape.halo.width * options.steps_at_once;
  // Twice for both ends, as below.
  expect_countable(size, width,
                   2.0 * 3.0 * (3.0 * devices + 1.0) * 2.0 * static_cast<double>(exchanges_kept) *
                       static_cast<double>(exchanged_fields(shape)) * 8.0);
  auto const wide = [&](std::int64_t extent) { return extent + 2 * width; };
  // Two layers across z for each slab; a host may have two for each other device. With boxes one
  // image's sides are no larger than the whole grid's.
  std::int64_t const slabs = options.layers.share == HostShare::device ? devices : 3 * devices + 1;
  std::int64_t points = 2 * width * slabs * wide(size.x) * wide(size.y);
  if (options.cut != ImageCut::stack || problem.faces.wraps().y || problem.faces.wraps().x) {
    points += 2 * width * wide(size.z) * (wide(size.x) + wide(size.y));
  }
  if (options.layers.thickness_y > 0 || options.layers.thickness_x > 0) {
    // At each height there are up to five boxes where there was one: two ends of each along y and
    // x, and corners where they meet across z.
    points *= 3;
    points += 10 * width * (wide(size.z) + 2 * width * slabs) * (wide(size.x) + wide(size.y));
  }
  // What boxes that move need, and the runtime for itself.
  constexpr std::int64_t besides = std::int64_t{8} << 20;
  std::int64_t const copies = options.route == Route::relayed ? 2 * exchanges_kept : exchanges_kept;
  return copies * points * exchanged_fields(shape) * 8 + besides;
}

}  // namespace makespan::grid

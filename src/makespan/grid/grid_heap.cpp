// SPDX-License-Identifier: Apache-2.0
// What a grid needs of a runtime's heap, before it is cut.
#include <algorithm>
#include <cstdint>
#include <string>

#include "makespan/base/error.hpp"
#include "makespan/grid/detail/put_pieces.hpp"
#include "makespan/grid/grid.hpp"

namespace makespan::grid {

namespace {

// What is counted: extents, the halo's width, and how many slabs an image may have.
struct HeapTerms {
  Point size{};
  std::int64_t width{};
  std::int64_t slabs{};
  std::int64_t bytes_of_point{};
  bool has_sides{};  // layers across y or x: of boxes, or of a grid that wraps
  bool has_boxes{};  // of a host, along y or x
};

// Of all halos; in doubles first, where nothing runs over.
template <class Number>
Number counted_points(HeapTerms const& terms) {
  auto const width = static_cast<Number>(terms.width);
  auto const wide = [&](std::int64_t extent) { return static_cast<Number>(extent) + 2 * width; };
  Number const x = wide(terms.size.x);
  Number const y = wide(terms.size.y);
  Number const z = wide(terms.size.z);
  // Two layers across z for each slab. With boxes one image's sides are no larger than the whole
  // grid's.
  Number const in_slabs = 2 * width * static_cast<Number>(terms.slabs);
  Number points = in_slabs * x * y;
  if (terms.has_sides) points += 2 * width * z * (x + y);
  if (terms.has_boxes) {
    // At each height there are up to five boxes where there was one: two ends of each along y and
    // x, and corners where they meet across z.
    points *= 3;
    points += 10 * width * (z + in_slabs) * (x + y);
  }
  return points;
}

void expect_countable(HeapTerms const& terms) {
  Point const& size = terms.size;
  // Where nothing is read of neighbours, any number of points needs nothing: sides are looked at.
  double const sides =
      static_cast<double>(size.x) + static_cast<double>(size.y) + static_cast<double>(size.z);
  double const bytes = counted_points<double>(terms) *
                       static_cast<double>(std::max<std::int64_t>(terms.bytes_of_point, 1));
  bool const has_points = size.x >= 1 && size.y >= 1 && size.z >= 1;
  // Slabs too: of fewer than none, halos take less than nothing.
  bool const has_counts = terms.width >= 0 && terms.slabs >= 0 && bytes >= 0;
  if (has_points && has_counts && sides <= 0x1p60 && bytes <= 0x1p60) return;
  throw InputError("a grid of " + std::to_string(size.x) + " x " + std::to_string(size.y) + " x " +
                       std::to_string(size.z) + " points in " + std::to_string(terms.slabs) +
                       " slabs of an image, with halos of " + std::to_string(terms.width),
                   "it has one at least along each axis, and no more than can be counted",
                   "give it some, or fewer");
}

}  // namespace

std::int64_t Grid::heap_bytes(GridProblem const& problem, StencilShape const& shape, int devices,
                              GridOptions const& options) {
  Wraps const wraps = problem.faces.wraps();
  std::int64_t const copies = options.route == Route::relayed ? 2 * exchanges_kept : exchanges_kept;
  HeapTerms const terms{
      .size = problem.box.extent(),
      .width = shape.halo.width * options.steps_at_once,
      // A host may have two for each other device.
      .slabs = options.layers.share == HostShare::device ? devices : std::int64_t{3} * devices + 1,
      .bytes_of_point = copies * exchanged_fields(shape) * 8,
      .has_sides = options.cut != ImageCut::stack || wraps.y || wraps.x,
      .has_boxes = options.layers.thickness_y > 0 || options.layers.thickness_x > 0};
  expect_countable(terms);
  // What boxes that move need, and the runtime for itself.
  constexpr std::int64_t besides = std::int64_t{8} << 20;
  return counted_points<std::int64_t>(terms) * terms.bytes_of_point + besides;
}

}  // namespace makespan::grid

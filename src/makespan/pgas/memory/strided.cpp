// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/memory/strided.hpp"

#include <algorithm>
#include <limits>
#include <ranges>

namespace makespan::pgas {

namespace {

// What no memory holds.
constexpr StridedExtent everywhere{0, std::numeric_limits<std::int64_t>::max()};

StridedExtent extent(StridedBox const& box, std::int64_t StridedDimension::* stride) {
  // Not by their product, which may be more than can be counted.
  bool const is_empty = std::ranges::any_of(
      box.dimensions, [](StridedDimension const& dimension) { return dimension.count == 0; });
  if (is_empty) return {};
  StridedExtent touched{0, box.element_bytes};
  for (StridedDimension const& dimension : box.dimensions) {
    std::int64_t reach = 0;
    bool const is_far =
        __builtin_mul_overflow(dimension.count - 1, dimension.*stride, &reach) ||
        __builtin_add_overflow(touched.begin, std::min<std::int64_t>(reach, 0), &touched.begin) ||
        __builtin_add_overflow(touched.end, std::max<std::int64_t>(reach, 0), &touched.end);
    if (is_far) return everywhere;
  }
  std::int64_t size = 0;
  return __builtin_sub_overflow(touched.end, touched.begin, &size) ? everywhere : touched;
}

// Whether a step of `outer` leads, at both sides, to where a last step of an inner one would.
bool continues(StridedDimension const& outer, std::int64_t source_reach,
               std::int64_t target_reach) {
  return outer.source_stride == source_reach && outer.target_stride == target_reach;
}

}  // namespace

StridedExtent source_extent(StridedBox const& box) {
  return extent(box, &StridedDimension::source_stride);
}

StridedExtent target_extent(StridedBox const& box) {
  return extent(box, &StridedDimension::target_stride);
}

StridedBox merged(StridedBox const& box) {
  MAKESPAN_EXPECT(box.element_bytes > 0);
  StridedBox result{.element_bytes = box.element_bytes, .dimensions = {}};
  std::size_t outermost = StridedBox::dimensions_max;  // of those that are in the result
  // From the innermost outwards: each dimension lengthens the element, or the dimension inside it,
  // or stands for itself.
  for (StridedDimension const& dimension : box.dimensions | std::views::reverse) {
    MAKESPAN_EXPECT(dimension.count >= 0);
    if (dimension.count == 0) {
      result.dimensions = {};
      result.dimensions.front().count = 0;
      return result;
    }
    if (dimension.count == 1) continue;
    if (outermost == StridedBox::dimensions_max) {
      if (continues(dimension, result.element_bytes, result.element_bytes)) {
        result.element_bytes *= dimension.count;
        continue;
      }
    } else {
      StridedDimension& inner = result.dimensions[outermost];
      if (continues(dimension, inner.count * inner.source_stride,
                    inner.count * inner.target_stride)) {
        inner.count *= dimension.count;
        continue;
      }
    }
    result.dimensions[--outermost] = dimension;
  }
  return result;
}

}  // namespace makespan::pgas

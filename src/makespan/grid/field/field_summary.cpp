// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/field/field_summary.hpp"

namespace makespan::grid {

namespace {

template <class Value>
void for_each_value(FieldView const& view, Box const& box, Value&& value) {
  Box const local = moved(box, Point{} - view.box.begin);
  for (std::int64_t z = local.begin.z; z < local.end.z; ++z) {
    for (std::int64_t y = local.begin.y; y < local.end.y; ++y) {
      double const* const row = view.at(y, z);
      for (std::int64_t x = local.begin.x; x < local.end.x; ++x) value(row[x]);
    }
  }
}

}  // namespace

ValueRange range_of(FieldView const& view, Box const& box) {
  ValueRange range;
  for_each_value(view, box, [&](double value) { range.add(ordered_key(value)); });
  return range;
}

FixedSum sum_of(FieldView const& view, Box const& box, int scale) {
  ScaleFactors const factors(scale);
  FixedSum sum;
  for_each_value(view, box, [&](double value) { sum.add(factors.of(value)); });
  return sum;
}

}  // namespace makespan::grid

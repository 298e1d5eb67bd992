// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/field/box_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "makespan/base/contracts.hpp"

namespace makespan::grid {

namespace {

// Calls row(first point of a row of `part` among the values of `box`), in order.
template <class Row>
void for_each_row_of(Box const& part, Box const& box, Row&& row) {
  Point const size = box.extent();
  Box const local = moved(part, Point{} - box.begin);
  for (std::int64_t z = local.begin.z; z < local.end.z; ++z) {
    for (std::int64_t y = local.begin.y; y < local.end.y; ++y) {
      row((z * size.y + y) * size.x + local.begin.x);
    }
  }
}

}  // namespace

void place_rows(double const* from, Box const& part, Box const& box, double* to) {
  auto const count = static_cast<std::size_t>(part.extent().x);
  for_each_row_of(part, box, [&](std::int64_t at) {
    std::copy_n(from, count, to + at);
    from += count;
  });
}

void take_rows(double const* from, Box const& box, Box const& part, double* to) {
  auto const count = static_cast<std::size_t>(part.extent().x);
  for_each_row_of(part, box, [&](std::int64_t at) { to = std::copy_n(from + at, count, to); });
}

void fill_box(std::span<FieldView const> views, Box const& box,
              std::function<double(int field, Point at)> const& value) {
  for (std::size_t field = 0; field < views.size(); ++field) {
    Point const origin = views[field].box.begin;
    for (std::int64_t z = box.begin.z; z < box.end.z; ++z) {
      for (std::int64_t y = box.begin.y; y < box.end.y; ++y) {
        double* const row = views[field].at(y - origin.y, z - origin.z) - origin.x;
        for (std::int64_t x = box.begin.x; x < box.end.x; ++x) {
          row[x] = value(static_cast<int>(field), {x, y, z});
        }
      }
    }
  }
}

std::optional<BadValue> find_bad_value(std::span<FieldView const> views) {
  for (std::size_t field = 0; field < views.size(); ++field) {
    FieldView const& view = views[field];
    Point const size = view.box.extent();
    for (std::int64_t z = 0; z < size.z; ++z) {
      for (std::int64_t y = 0; y < size.y; ++y) {
        double const* const row = view.at(y, z);
        double const* const bad =
            std::find_if_not(row, row + size.x, [](double value) { return std::isfinite(value); });
        if (bad == row + size.x) continue;
        return BadValue{.field = static_cast<int>(field),
                        .at = view.box.begin + Point{bad - row, y, z},
                        .value = *bad};
      }
    }
  }
  return std::nullopt;
}

void add_digests(std::span<FieldView const> views, Box const& domain, std::span<Digest> planes) {
  Point const whole = domain.extent();
  MAKESPAN_EXPECT(std::ssize(planes) == std::ssize(views) * whole.z);
  Digest* of_field = planes.data();
  for (FieldView const& view : views) {
    Point const size = view.box.extent();
    for (std::int64_t z = 0; z < size.z; ++z) {
      Point const plane = view.box.begin + Point{0, 0, z} - domain.begin;
      Digest sum;
      for (std::int64_t y = 0; y < size.y; ++y) {
        // By its place in the whole grid: sums are the same however the grid is cut.
        auto place =
            static_cast<std::uint64_t>((plane.z * whole.y + plane.y + y) * whole.x + plane.x);
        for (double const value : std::span(view.at(y, z), static_cast<std::size_t>(size.x))) {
          sum += digest_of(value, place++);
        }
      }
      of_field[plane.z] += sum;
    }
    of_field += whole.z;
  }
}

}  // namespace makespan::grid

// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/detail/slab.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace makespan::grid {

namespace {

// Calls row(pointer) for each row of the box in each field, in order.
template <class Row>
void for_each_row(std::span<FieldView const> views, Box const& box, Row&& row) {
  for (FieldView const& view : views) {
    Box const local = moved(box, Point{} - view.box.begin);
    for (std::int64_t z = local.begin.z; z < local.end.z; ++z) {
      for (std::int64_t y = local.begin.y; y < local.end.y; ++y) {
        row(view.at(y, z) + local.begin.x);
      }
    }
  }
}

// One end of a row.
void fill_end(FieldView const& view, double* row, std::int64_t width, Face face) {
  std::int64_t const extent = view.box.extent().x;
  for (std::int64_t i = 0; i < width; ++i) {
    std::int64_t const at = face == Face::x_low ? -1 - i : extent + i;
    Folded const from = folded(at, view.axis_x());
    Face const end = from.index < view.domain.begin.x ? Face::x_low : Face::x_high;
    row[at] = from.is_value ? view.values[static_cast<std::size_t>(end)] : row[from.index];
  }
}

}  // namespace

Sides sides_of(Faces const& faces) {
  Sides sides{};
  for (std::size_t face = 0; face < sides.size(); ++face) {
    FaceKind const kind = faces.kinds[face];
    sides[face] = kind == FaceKind::no_flux ? Beyond::mirror
                  : kind == FaceKind::value ? Beyond::value
                                            : Beyond::stored;
  }
  return sides;
}

std::int64_t pack(std::span<FieldView const> views, Box const& box, double* to) {
  auto const count = static_cast<std::size_t>(box.extent().x);
  std::int64_t copies = 0;
  for_each_row(views, box, [&](double const* row) {
    to = std::copy_n(row, count, to);
    ++copies;
  });
  return copies;
}

void unpack(double const* from, std::span<FieldView const> views, Box const& box) {
  auto const count = static_cast<std::size_t>(box.extent().x);
  for_each_row(views, box, [&](double* row) {
    std::copy_n(from, count, row);
    from += count;
  });
}

void fill_row_ends(std::span<FieldView const> views, std::int64_t width) {
  for (FieldView const& view : views) {
    Box rows = grown(view.box, width);
    rows.begin.x = view.box.begin.x;
    for_each_row(std::span(&view, 1), rows, [&](double* row) {
      fill_end(view, row, width, Face::x_low);
      fill_end(view, row, width, Face::x_high);
    });
  }
}

}  // namespace makespan::grid

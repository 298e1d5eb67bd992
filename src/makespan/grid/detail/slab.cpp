// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/detail/slab.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace makespan::grid {

namespace {

// Calls row(pointer, its place among the packed doubles of the box) for these rows of each field,
// in order.
template <class Row>
void for_each_row(std::span<FieldView const> views, Box const& box, Rows rows, Row&& row) {
  Point const size = box.extent();
  if (box.is_empty()) return;
  std::int64_t place = 0;
  for (FieldView const& view : views) {
    Box const local = moved(box, Point{} - view.box.begin);
    for (std::int64_t at = rows.first; at < rows.last; ++at) {
      row(view.at(local.begin.y + at % size.y, local.begin.z + at / size.y) + local.begin.x,
          place + at * size.x);
    }
    place += box.points();
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
  return pack(views, box, rows_of(box), to);
}

void unpack(double const* from, std::span<FieldView const> views, Box const& box) {
  unpack(from, views, box, rows_of(box));
}

std::int64_t pack(std::span<FieldView const> views, Box const& box, Rows rows, double* to) {
  auto const count = static_cast<std::size_t>(box.extent().x);
  std::int64_t copies = 0;
  for_each_row(views, box, rows, [&](double const* row, std::int64_t place) {
    std::copy_n(row, count, to + place);
    ++copies;
  });
  return copies;
}

void unpack(double const* from, std::span<FieldView const> views, Box const& box, Rows rows) {
  auto const count = static_cast<std::size_t>(box.extent().x);
  for_each_row(views, box, rows,
               [&](double* row, std::int64_t place) { std::copy_n(from + place, count, row); });
}

void copy(std::span<FieldView const> from, std::span<FieldView const> to, Box const& box) {
  auto const count = static_cast<std::size_t>(box.extent().x);
  for (std::size_t field = 0; field < from.size(); ++field) {
    Point const here = box.begin - from[field].box.begin;
    Point const there = box.begin - to[field].box.begin;
    for (std::int64_t z = 0; z < box.extent().z; ++z) {
      for (std::int64_t y = 0; y < box.extent().y; ++y) {
        std::copy_n(from[field].at(here.y + y, here.z + z) + here.x, count,
                    to[field].at(there.y + y, there.z + z) + there.x);
      }
    }
  }
}

void read_values(Slab const& slab, std::span<FieldView const> views, Box const& box, double* to) {
  if (slab.accelerator != nullptr) {
    slab.accelerator->pack(views, box, to, HaloSide::host);
  } else {
    pack(views, box, to);
  }
}

void write_values(double const* from, Slab const& slab, std::span<FieldView const> views,
                  Box const& box) {
  if (slab.accelerator == nullptr) return unpack(from, views, box);
  slab.accelerator->unpack(from, views, box, HaloSide::host);
  // Microseconds, and `from` may be what comes next meanwhile.
  while (!slab.accelerator->is_done()) {
  }
}

void fill_row_ends(std::span<FieldView const> views, std::int64_t width) {
  for (FieldView const& view : views) {
    Box rows = grown(view.box, width);
    rows.begin.x = view.box.begin.x;
    for_each_row(std::span(&view, 1), rows, rows_of(rows), [&](double* row, std::int64_t) {
      fill_end(view, row, width, Face::x_low);
      fill_end(view, row, width, Face::x_high);
    });
  }
}

}  // namespace makespan::grid

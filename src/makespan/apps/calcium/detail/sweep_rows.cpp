// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/calcium/detail/sweep_rows.hpp"

#include <algorithm>
#include <vector>

namespace makespan::calcium {

namespace {

constexpr std::int64_t rows_ahead = 2;   // 1 to 8 are alike
constexpr std::int64_t pause_rows = 32;  // some 2 µs each

using RowKernel = void (*)(RowJob const& job);

// A row's place in its tile.
struct TileRow {
  std::int64_t y{};
  std::int64_t z{};
  std::int64_t y_begin{};  // of the tile
  std::int64_t y_end{};
  std::int64_t rows_max{};  // that may be done together
};

// The rows of one sweep as jobs.
class Rows {
 public:
  Rows(SweepJob const& job, grid::Sweep const& sweep)
      : job_{job},
        sweep_{sweep},
        box_{grid::moved(sweep.box, grid::Point{} - view(Field::ca).box.begin)},
        segments_{*job.map, view(Field::ca).box.begin, job.finding} {
    grid::FieldView const& first = view(Field::ca);
    row_.factors = job.factors;
    row_.extent = first.box.extent().x;
    row_.pitch = first.row_pitch;
    row_.low = first.beyond(grid::Face::x_low);
    row_.high = first.beyond(grid::Face::x_high);
    row_.points = {box_.begin.x, box_.end.x};
    row_.map = job.map;
    row_.storing = job.storing;
  }

  [[nodiscard]] grid::Box const& box() const { return box_; }
  RowJob const& row(TileRow const& at);

 private:
  [[nodiscard]] grid::FieldView const& view(Field field) const {
    return sweep_.now[static_cast<std::size_t>(field)];
  }
  [[nodiscard]] static double const* ahead(grid::FieldView const& now, TileRow const& at,
                                           std::int64_t planes);
  [[nodiscard]] double gain(Source const& source) const;
  void find_gains(TileRow const& at);
  [[nodiscard]] std::int64_t rows_alike(TileRow const& at);

  SweepJob const& job_;
  grid::Sweep const& sweep_;
  grid::Box box_;  // from the views' first point
  RowSegments segments_;
  std::vector<PointGain> gains_{};
  RowJob row_{};
};

// Soon to be read: some rows on, in the plane that is `planes` above; behind the tile's last rows
// come the first ones of the plane after it. Any address will do, and none is read.
double const* Rows::ahead(grid::FieldView const& now, TileRow const& at, std::int64_t planes) {
  std::int64_t const y = at.y + rows_ahead;
  if (y < at.y_end) return now.at(y, at.z + planes);
  return now.at(y - at.y_end + at.y_begin, at.z + planes + 1);
}

double Rows::gain(Source const& source) const {
  grid::FieldView const& ca = view(Field::ca);
  grid::Point const at = source.voxel - ca.box.begin;
  int const face = static_cast<int>(source.face);
  std::int64_t const step = face % 2 == 0 ? -1 : 1;
  double const here = ca.at(at.y, at.z)[at.x];
  double beyond = here;
  if (source.exchange != 0) {
    // Along y and z by the rules of the domain's ends; along x as it lies in memory, which serves
    // channels: their faces are along y or z, within the grid.
    beyond = face / 2 == 0   ? ca.at(at.y, at.z)[at.x + step]
             : face / 2 == 1 ? ca.row(at.y + step, at.z)[at.x]
                             : ca.row(at.y, at.z + step)[at.x];
  }
  return source.exchange * (beyond - here) + source.amount;
}

void Rows::find_gains(TileRow const& at) {
  grid::Point const first = view(Field::ca).box.begin;
  gains_.clear();
  for (Source const& source : job_.sources->in_row(first.y + at.y, first.z + at.z)) {
    std::int64_t const x = source.voxel.x - first.x;
    bool const is_open = source.step_begin <= sweep_.step && sweep_.step < source.step_end;
    if (is_open && x >= box_.begin.x && x < box_.end.x) gains_.push_back({x, gain(source)});
  }
}

RowJob const& Rows::row(TileRow const& at) {
  for (std::size_t i = 0; i < mobile_fields.size(); ++i) {
    auto const field = static_cast<std::size_t>(mobile_fields[i]);
    grid::FieldView const& now = sweep_.now[field];
    row_.fields[i] = {.here = now.at(at.y, at.z),
                      .y_low = now.row(at.y - 1, at.z),
                      .y_high = now.row(at.y + 1, at.z),
                      .z_low = now.row(at.y, at.z - 1),
                      .z_high = now.row(at.y, at.z + 1),
                      .ahead = ahead(now, at, 1),
                      .out = sweep_.next[field].at(at.y, at.z),
                      .low_value = now.values[static_cast<std::size_t>(grid::Face::x_low)],
                      .high_value = now.values[static_cast<std::size_t>(grid::Face::x_high)]};
  }
  grid::FieldView const& troponin = sweep_.next[static_cast<std::size_t>(Field::ca_trpn)];
  row_.troponin = troponin.at(at.y, at.z);
  row_.troponin_ahead = ahead(troponin, at, 0);
  row_.first = view(Field::ca).box.begin + grid::Point{0, at.y, at.z};
  row_.segments = segments_.find(at.y, at.z, box_.begin.x, box_.end.x);
  find_gains(at);
  row_.gains = gains_;
  row_.rows = rows_alike(at);
  return row_;
}

// Rows from this one on that need nothing but to move on: the same regions around, no sources, and
// neighbours that lie where they do in the middle of a slab. Rows are prefetched up to the tile's
// last ones.
std::int64_t Rows::rows_alike(TileRow const& at) {
  grid::FieldView const& ca = view(Field::ca);
  bool const is_whole = row_.points.begin % line_points == 0 &&
                        (row_.points.end % line_points == 0 || row_.points.end == row_.extent);
  // The other fields of a slab are laid out as calcium's is.
  bool const is_inside = row_.fields[0].y_low == ca.at(at.y - 1, at.z) &&
                         row_.fields[0].y_high == ca.at(at.y + 1, at.z) &&
                         !ca.has_value_along_z(at.z);
  if (!is_whole || !is_inside || !gains_.empty() || row_.segments.size() != 1 ||
      row_.segments.front().mixture != Mixture::uniform) {
    return 1;
  }
  std::int64_t const y_last = ca.beyond(grid::Face::y_high) == grid::Beyond::stored
                                  ? ca.box.extent().y
                                  : ca.box.extent().y - 1;
  grid::Point const first = ca.box.begin;
  std::int64_t const end =
      std::min({at.y_end - rows_ahead, y_last, at.y + at.rows_max,
                job_.sources->next_row(first.y + at.y + 1, first.z + at.z) - first.y});
  return segments_.rows_alike(at.y, at.z, std::max(at.y + 1, end)) - at.y;
}

void pass_over(SweepJob const& job, grid::Sweep const& sweep, RowKernel kernel) {
  Rows rows{job, sweep};
  grid::Box const& box = rows.box();
  std::int64_t done = 0;
  for (std::int64_t begin = box.begin.y; begin < box.end.y; begin += job.tile_rows) {
    std::int64_t const end = std::min(begin + job.tile_rows, box.end.y);
    for (std::int64_t z = box.begin.z; z < box.end.z; ++z) {
      for (std::int64_t y = begin; y < end;) {
        // Jobs of several rows are cut at pauses, so that these come after so many rows.
        RowJob const& row = rows.row({y, z, begin, end, pause_rows - done});
        kernel(row);
        y += row.rows;
        done += row.rows;
        if (done == pause_rows) {
          sweep.pause();
          done = 0;
        }
      }
    }
  }
  // Before this thread says that it is through: stores past the caches are ordered with later ones
  // by a flush only, and other threads read these rows next.
  job.kernels->finish();
  sweep.pause();
}

}  // namespace

void step_in_one_pass(SweepJob const& job, grid::Sweep const& sweep) {
  pass_over(job, sweep, job.kernels->step);
}

void step_in_two_passes(SweepJob const& job, grid::Sweep const& sweep) {
  pass_over(job, sweep, job.kernels->diffuse);
  pass_over(job, sweep, job.kernels->react);
}

}  // namespace makespan::calcium

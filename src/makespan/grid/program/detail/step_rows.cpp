// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/program/detail/step_rows.hpp"

#include <algorithm>
#include <limits>

#include "makespan/base/contracts.hpp"

namespace makespan::grid {

namespace {

// Doubles of a ring's memory before its first row, since rows are read beyond their ends; and
// between fields, so that their rows do not fall into the same sets of a cache.
constexpr std::int64_t ring_margin = 16;
constexpr std::int64_t field_offset = 72;

constexpr Reach all{std::numeric_limits<std::int64_t>::min(),
                    std::numeric_limits<std::int64_t>::max()};

// [begin, end) with `more` at each end, but not beyond ends of the domain that have a rule.
Reach reached(Reach const& of, std::int64_t more, Axis const& axis) {
  Reach reach{of.begin - more, of.end + more};
  if (axis.low != Beyond::stored)
    reach.begin = std::max(reach.begin, std::min(of.begin, axis.begin));
  if (axis.high != Beyond::stored) reach.end = std::min(reach.end, std::max(of.end, axis.end));
  return reach;
}

std::int64_t rings_of(Sweep const& sweep) {
  return (sweep.steps - 1) * std::ssize(sweep.now);
}

std::int64_t ring_pitch(Sweep const& sweep, Reach const& rows, std::int64_t planes) {
  return planes * (rows.end - rows.begin) * sweep.now.front().row_pitch + field_offset;
}

// The first step's rows are the most, and a ring has room for them.
Reach first_rows(Sweep const& sweep, Reach const& tile, std::int64_t radius) {
  return reached(tile, radius * (sweep.steps - 1), sweep.now.front().axis_y());
}

}  // namespace

StepRows::StepRows(Sweep const& sweep, Reach tile, Halo const& halo, int planes,
                   std::span<double> ring)
    : sweep_{sweep},
      tile_{tile},
      radius_{halo.width},
      has_corners_{halo.shape == HaloShape::box},
      // As many of a step as the next one reads at once: older ones are overwritten.
      ring_planes_{planes + 2 * halo.width},
      ring_{ring},
      ring_rows_{first_rows(sweep, tile, halo.width)} {
  MAKESPAN_EXPECT(std::ssize(ring) >= ring_doubles(sweep, tile, halo.width, planes));
}

std::int64_t StepRows::ring_doubles(Sweep const& sweep, Reach tile, std::int64_t radius,
                                    int planes) {
  if (sweep.steps == 1) return 0;
  Reach const rows = first_rows(sweep, tile, radius);
  return rings_of(sweep) * ring_pitch(sweep, rows, planes + 2 * radius) + 2 * ring_margin;
}

Box StepRows::box() const {
  return moved(sweep_.box, Point{} - sweep_.now.front().box.begin);
}

Reach StepRows::points_of(int step) const {
  Box const whole = box();
  return reached({whole.begin.x, whole.end.x}, radius_ * (sweep_.steps - step), view(0).axis_x());
}
Reach StepRows::rows_of(int step) const {
  return reached(tile_, radius_ * (sweep_.steps - step), view(0).axis_y());
}
Reach StepRows::planes_of(int step) const {
  Box const whole = box();
  return reached({whole.begin.z, whole.end.z}, radius_ * (sweep_.steps - step), view(0).axis_z());
}

double* StepRows::ring_row(int step, std::size_t field, std::int64_t y, std::int64_t z) const {
  std::int64_t const pitch = view(0).row_pitch;
  // Planes take turns in the ring; z may be below 0, and so is its remainder then.
  std::int64_t const turn = ((z % ring_planes_) + ring_planes_) % ring_planes_;
  std::int64_t const ring = (step - 1) * std::ssize(sweep_.now) + static_cast<std::int64_t>(field);
  std::int64_t const rows = ring_rows_.end - ring_rows_.begin;
  return ring_.data() + ring_margin + ring * ring_pitch(sweep_, ring_rows_, ring_planes_) +
         (turn * rows + y - ring_rows_.begin) * pitch;
}

double const* StepRows::after(int step, std::size_t field, std::int64_t y, std::int64_t z) const {
  FieldView const& now = view(field);
  if (step == 0) return now.row(y, z);
  Folded const across_z = folded(z, now.axis_z());
  Folded const across_y = folded(y, now.axis_y());
  // The value of a face is the same after any step.
  if (across_z.is_value || across_y.is_value) return now.row(y, z);
  return ring_row(step, field, across_y.index, across_z.index);
}

double* StepRows::out(int step, std::size_t field, std::int64_t y, std::int64_t z) const {
  return step == sweep_.steps ? sweep_.next[field].at(y, z) : ring_row(step, field, y, z);
}

Reach StepRows::plain_rows() const {
  Axis const axis = view(0).axis_y();
  return {axis.low == Beyond::stored ? all.begin : axis.begin + radius_,
          axis.high == Beyond::stored ? all.end : axis.end - radius_};
}

Reach StepRows::alike_rows(std::int64_t z, int planes) const {
  Axis const along_y = view(0).axis_y();
  Axis const along_z = view(0).axis_z();
  bool const is_beside_z = has_corners_ && (folded(z - radius_, along_z).is_value ||
                                            folded(z + planes - 1 + radius_, along_z).is_value);
  if (is_beside_z) return {};
  return {along_y.low == Beyond::value ? along_y.begin + radius_ : all.begin,
          along_y.high == Beyond::value ? along_y.end - radius_ : all.end};
}

bool StepRows::is_value_along_z(std::size_t field, std::int64_t z) const {
  return folded(z, view(field).axis_z()).is_value;
}

}  // namespace makespan::grid

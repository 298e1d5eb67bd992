// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/program/detail/row_walk.hpp"

#include <cstddef>

namespace makespan::grid {

namespace {

// How many rows before its use a row is fetched; 2 to 4 are alike.
constexpr std::int64_t rows_ahead = 3;

}  // namespace

RowWalk::RowWalk(CheckedProgram const& program, std::vector<RowSlot> const& slots, int planes,
                 StepRows const& rows, int step)
    : program_{program},
      slots_{slots},
      planes_{planes},
      rows_{rows},
      step_{step},
      pitch_{rows.sweep().now.front().row_pitch},
      plain_rows_{rows.plain_rows()},
      in_(slots.size()),
      in_steps_(slots.size()),
      out_(program.updated().size() * static_cast<std::size_t>(planes)),
      ahead_(static_cast<std::size_t>(program.fields() * planes)) {
}

void RowWalk::go_to(std::int64_t y, std::int64_t z) {
  bool const is_next = is_found_ && z == z_ && y == y_ + 1;
  if (is_next && y_ >= plain_rows_.begin && y < plain_rows_.end) {
    move_on();
  } else {
    find(y, z);
  }
  // Rows that come behind the tile's last ones are elsewhere; and so it may be with all others.
  bool const wraps = y + rows_ahead == rows_.rows_of(step_).end;
  if (!is_next || wraps) {
    find_ahead(y, z);
  } else {
    // Rows that are only fetched: one beyond its field does no harm.
    for (double const*& ahead : ahead_) ahead += pitch_;
  }
  y_ = y;
  z_ = z;
  is_found_ = true;
}

void RowWalk::find(std::int64_t y, std::int64_t z) {
  for (std::size_t at = 0; at < slots_.size(); ++at) {
    RowSlot const& slot = slots_[at];
    auto const field = static_cast<std::size_t>(slot.field);
    in_[at] = rows_.after(step_ - 1, field, y + slot.dy, z + slot.dz);
    // Rows beyond a face along z that has a value are all the same one.
    in_steps_[at] = rows_.is_value_along_z(field, z + slot.dz) ? 0 : pitch_;
  }
  std::size_t at = 0;
  for (int const field : program_.updated()) {
    for (int plane = 0; plane < planes_; ++plane) {
      out_[at++] = rows_.out(step_, static_cast<std::size_t>(field), y, z + plane);
    }
  }
}

void RowWalk::move_on() {
  for (std::size_t at = 0; at < in_.size(); ++at) in_[at] += in_steps_[at];
  for (double*& out : out_) out += pitch_;
}

// Of the first step the planes that come into sight with these: behind the tile's last rows come
// its first ones in the planes above. Later steps read what is in the cache: for them any row will
// do, and one that is written is always there.
void RowWalk::find_ahead(std::int64_t y, std::int64_t z) {
  Reach const rows = rows_.rows_of(step_);
  std::int64_t const target = y + rows_ahead;
  bool const is_in_tile = target < rows.end;
  std::int64_t const row = is_in_tile ? target : target - rows.end + rows.begin;
  std::int64_t const above = is_in_tile ? 0 : planes_;
  std::size_t at = 0;
  for (int field = 0; field < program_.fields(); ++field) {
    auto const number = static_cast<std::size_t>(field);
    bool const spreads = program_.shape().fields[number] == FieldRole::spreads;
    std::int64_t const reach = spreads ? program_.shape().halo.width : 0;
    FieldView const& view = rows_.sweep().now[number];
    for (int plane = 0; plane < planes_; ++plane) {
      ahead_[at++] = step_ > 1 ? out_.front() : view.at(row, z + reach + above + plane);
    }
  }
}

void RowWalk::set(RowsJob& job) const {
  job.in = in_.data();
  job.out = out_.data();
  job.ahead = ahead_.data();
}

}  // namespace makespan::grid

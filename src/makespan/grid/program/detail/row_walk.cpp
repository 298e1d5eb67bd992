// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/program/detail/row_walk.hpp"

#include <algorithm>

namespace makespan::grid {

namespace {

// How many rows before its use a row is fetched; 2 to 4 are alike.
constexpr std::int64_t rows_ahead = 3;

}  // namespace

RowWalk::RowWalk(CheckedProgram const& program, std::vector<RowSlot> const& slots, int planes,
                 Sweep const& sweep, TileRows tile)
    : program_{program},
      slots_{slots},
      planes_{planes},
      now_{sweep.now},
      next_{sweep.next},
      tile_{tile},
      in_(slots.size()),
      in_steps_(slots.size()),
      out_(program.updated().size() * static_cast<std::size_t>(planes)),
      ahead_(sweep.now.size() * static_cast<std::size_t>(planes)) {
}

void RowWalk::go_to(std::int64_t y, std::int64_t z) {
  if (is_found_ && z == z_ && y == y_ + 1 && is_plain(y_) && is_plain(y)) {
    move_on();
  } else {
    find(y, z);
  }
  y_ = y;
  z_ = z;
  is_found_ = true;
  find_ahead(y, z);
}

// Whether all rows around one are those that lie around it in memory.
bool RowWalk::is_plain(std::int64_t y) const {
  std::int64_t const width = program_.shape().halo.width;
  Axis const axis = now_.front().axis_y();
  return folded(y - width, axis).index == y - width && !folded(y - width, axis).is_value &&
         folded(y + width, axis).index == y + width && !folded(y + width, axis).is_value;
}

void RowWalk::find(std::int64_t y, std::int64_t z) {
  for (std::size_t at = 0; at < slots_.size(); ++at) {
    RowSlot const& slot = slots_[at];
    FieldView const& view = now_[static_cast<std::size_t>(slot.field)];
    in_[at] = view.row(y + slot.dy, z + slot.dz);
    // Rows beyond a face along z that has a value are all the same one.
    in_steps_[at] = folded(z + slot.dz, view.axis_z()).is_value ? 0 : view.row_pitch;
  }
  std::size_t at = 0;
  for (int const field : program_.updated()) {
    FieldView const& view = next_[static_cast<std::size_t>(field)];
    for (int plane = 0; plane < planes_; ++plane) out_[at++] = view.at(y, z + plane);
  }
}

void RowWalk::move_on() {
  for (std::size_t at = 0; at < in_.size(); ++at) in_[at] += in_steps_[at];
  std::size_t at = 0;
  for (int const field : program_.updated()) {
    std::int64_t const pitch = next_[static_cast<std::size_t>(field)].row_pitch;
    for (int plane = 0; plane < planes_; ++plane) out_[at++] += pitch;
  }
}

// The planes that come into sight with these: behind the tile's last rows come its first ones in
// the planes above.
void RowWalk::find_ahead(std::int64_t y, std::int64_t z) {
  std::int64_t const target = y + rows_ahead;
  bool const is_in_tile = target < tile_.end;
  std::int64_t const row = is_in_tile ? target : target - tile_.end + tile_.begin;
  std::int64_t const above = is_in_tile ? 0 : planes_;
  std::size_t at = 0;
  for (std::size_t field = 0; field < now_.size(); ++field) {
    bool const spreads = program_.shape().fields[field] == FieldRole::spreads;
    std::int64_t const reach = spreads ? program_.shape().halo.width : 0;
    FieldView const& view = now_[field];
    for (int plane = 0; plane < planes_; ++plane) {
      ahead_[at++] = view.at(row, z + reach + above + plane);
    }
  }
}

void RowWalk::set(RowsJob& job) const {
  job.in = in_.data();
  job.out = out_.data();
  job.ahead = ahead_.data();
}

}  // namespace makespan::grid

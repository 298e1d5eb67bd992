// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/calcium/row_segments.hpp"

#include <algorithm>

namespace makespan::calcium {

namespace {

// From where on, after `x`, a row may be in another region than at `x`. Of a row that goes on
// beyond the grid's ends: at these too.
std::int64_t change_after(VoxelMap const& map, std::uint32_t row, std::int64_t x) {
  std::int64_t const points = map.points().x;
  if (x < 0) return 0;
  if (x >= points) return x + line_points;
  return std::ranges::upper_bound(map.runs(row), x, {}, &RegionRun::end)->end;
}

}  // namespace

RowSegments::RowSegments(VoxelMap const& map, grid::Point first, Finding finding)
    : map_{map}, first_{first}, finding_{finding} {
}

RowSegments::RowNumbers RowSegments::rows_around(std::int64_t y, std::int64_t z) const {
  std::int64_t const at_y = first_.y + y;
  std::int64_t const at_z = first_.z + z;
  return {map_.row_number(at_y, at_z), map_.row_number(at_y - 1, at_z),
          map_.row_number(at_y + 1, at_z), map_.row_number(at_y, at_z - 1),
          map_.row_number(at_y, at_z + 1)};
}

std::int64_t RowSegments::rows_alike(std::int64_t y, std::int64_t z, std::int64_t y_end) const {
  RowNumbers const rows = rows_around(y, z);
  std::int64_t end = y + 1;
  while (end < y_end && rows_around(end, z) == rows) ++end;
  return end;
}

std::span<Segment const> RowSegments::find(std::int64_t y, std::int64_t z, std::int64_t begin,
                                           std::int64_t end) {
  RowNumbers const rows = rows_around(y, z);
  if (rows != rows_ || begin != begin_ || end != end_) {
    pieces_.clear();
    find_pieces(rows, line_begin(begin), line_begin(end + line_points - 1));
    rows_ = rows;
    begin_ = begin;
    end_ = end;
  }
  return pieces_;
}

void RowSegments::find_pieces(RowNumbers const& rows, std::int64_t begin, std::int64_t end) {
  auto const region = [this](std::uint32_t row, std::int64_t x) {
    return map_.region_in_row(row, x);
  };
  if (finding_ == Finding::mixed_only) {
    add({begin, end, Mixture::mixed, {}});
    return;
  }
  for (std::int64_t x = begin; x < end;) {
    std::int64_t const at = first_.x + x;
    Region const own = region(rows[0], at);
    // Up to where no row changes; points of the row itself look one further to both sides.
    std::int64_t until = change_after(map_, rows[0], at);
    bool const is_as_before = region(rows[0], at - 1) == own;
    if (until <= map_.points().x && region(rows[0], until) != own) --until;
    for (std::size_t k = 1; k < rows.size(); ++k) {
      until = std::min(until, change_after(map_, rows[k], at));
    }
    std::int64_t const whole = line_begin(std::min(until - first_.x, end));
    // The last line may go on beyond the grid, where nothing changes any more.
    bool const is_last = until >= map_.points().x && region(rows[0], until) == own;
    std::int64_t const piece_end = is_last ? end : whole;
    if (is_as_before && piece_end > x) {
      Neighbourhood const around{own,
                                 {own, own, region(rows[1], at), region(rows[2], at),
                                  region(rows[3], at), region(rows[4], at)}};
      add({x, piece_end, Mixture::uniform, around});
      x = piece_end;
    } else {
      add({x, x + line_points, Mixture::mixed, {}});
      x += line_points;
    }
  }
}

void RowSegments::add(Segment const& piece) {
  bool const goes_on = !pieces_.empty() && pieces_.back().mixture == piece.mixture &&
                       pieces_.back().around == piece.around;
  if (goes_on) {
    pieces_.back().end = piece.end;
  } else {
    pieces_.push_back(piece);
  }
}

std::array<Neighbourhood, line_points> line_neighbours(VoxelMap const& map, grid::Point first) {
  std::uint32_t const own = map.row_number(first.y, first.z);
  std::array<std::uint32_t, 4> const around{
      map.row_number(first.y - 1, first.z), map.row_number(first.y + 1, first.z),
      map.row_number(first.y, first.z - 1), map.row_number(first.y, first.z + 1)};
  std::array<Neighbourhood, line_points> line;
  for (std::size_t i = 0; i < line.size(); ++i) {
    std::int64_t const x = first.x + static_cast<std::int64_t>(i);
    line[i] = {map.region_in_row(own, x),
               {map.region_in_row(own, x - 1), map.region_in_row(own, x + 1),
                map.region_in_row(around[0], x), map.region_in_row(around[1], x),
                map.region_in_row(around[2], x), map.region_in_row(around[3], x)}};
  }
  return line;
}

}  // namespace makespan::calcium

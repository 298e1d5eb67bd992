// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/detail/box_mover.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>

#include "makespan/base/contracts.hpp"
#include "makespan/grid/agreement.hpp"
#include "makespan/pgas/atomics.hpp"

namespace makespan::grid {

namespace {

// 1 MiB, for which Grid::heap_bytes() leaves room besides the halos.
constexpr std::int64_t part_doubles = (std::int64_t{1} << 20) / 8;
constexpr std::int64_t come_word = 0;

constexpr std::int64_t allowed_word(int by_image) {
  return 1 + by_image;
}

// Cuts into lengths of `length` along one axis.
void cut_along(std::int64_t Point::* axis, std::int64_t length, Box const& box,
               std::vector<Box>& parts) {
  for (std::int64_t at = box.begin.*axis; at < box.end.*axis; at += length) {
    Box part = box;
    part.begin.*axis = at;
    part.end.*axis = std::min(at + length, box.end.*axis);
    parts.push_back(part);
  }
}

}  // namespace

std::vector<Box> chunks_of(Box const& box, std::int64_t points_max) {
  MAKESPAN_EXPECT(points_max > 0);
  std::vector<Box> parts;
  if (box.is_empty()) return parts;
  Point const size = box.extent();
  std::int64_t const plane = size.x * size.y;
  if (plane <= points_max) {
    cut_along(&Point::z, points_max / plane, box, parts);
    return parts;
  }
  std::vector<Box> planes;
  cut_along(&Point::z, 1, box, planes);
  for (Box const& one : planes) {
    if (size.x <= points_max) {
      cut_along(&Point::y, points_max / size.x, one, parts);
      continue;
    }
    std::vector<Box> rows;
    cut_along(&Point::y, 1, one, rows);
    for (Box const& row : rows) cut_along(&Point::x, points_max, row, parts);
  }
  return parts;
}

BoxMover::BoxMover(pgas::Runtime& runtime, std::int64_t fields)
    : runtime_{runtime},
      fields_{fields},
      values_(static_cast<std::size_t>(std::max(fields, part_doubles))),
      destination_{runtime.allocate_all<double>(std::ssize(values_), "boxes that move")},
      words_{
          runtime.allocate_all<std::uint64_t>(1 + runtime.images(), "signals of boxes that move")},
      sent_(static_cast<std::size_t>(runtime.images())) {
}

void BoxMover::close_all() {
  runtime_.free_all(words_);
  runtime_.free_all(destination_);
}

void BoxMover::send(BoxMove const& move, Box const& part, Read const& read) {
  std::span<double> const values(values_.data(), static_cast<std::size_t>(part.points() * fields_));
  // Before it is allowed to send: the receiver is at the part before.
  read(move, part, values);
  pgas::Endpoint& here = runtime_.endpoint(0);
  std::uint64_t const allowed = ++sent_[static_cast<std::size_t>(move.to_image)];
  here.wait_until_word(words_.at(runtime_.image(), allowed_word(move.to_image)),
                       pgas::Comparison::at_least, allowed);
  ImageId const to{move.to_image};
  // Blocks until it is there: the next part is read into the same memory.
  here.put_signal(destination_.at(to), std::span<double const>(values), words_.at(to, come_word));
}

void BoxMover::receive(BoxMove const& move, Box const& part, Write const& write) {
  pgas::Endpoint& here = runtime_.endpoint(0);
  int const me = static_cast<int>(runtime_.image().value());
  pgas::fetch_add(here, words_.at(ImageId{move.from_image}, allowed_word(me)), std::uint64_t{1});
  ++come_;
  here.wait_until_word(words_.at(runtime_.image(), come_word), pgas::Comparison::at_least, come_);
  write(move, part,
        runtime_.local(destination_).first(static_cast<std::size_t>(part.points() * fields_)));
}

// All go through the moves in one order. The first one that is not done yet is the next one of both
// its images, so it can go on; and a receiver's destination is free when it allows a part.
void BoxMover::move_all(std::span<BoxMove const> moves, Read const& read, Write const& write) {
  int const me = static_cast<int>(runtime_.image().value());
  std::int64_t const points_max = std::max<std::int64_t>(1, part_doubles / fields_);
  // An image whose device has failed still sends and takes all parts, whatever is in them: others
  // wait for it, and counts stay equal for the next moves.
  std::exception_ptr failure;
  Read const read_until_failure = [&](BoxMove const& move, Box const& part, std::span<double> to) {
    if (!failure) failure = failure_of([&] { read(move, part, to); });
  };
  Write const write_until_failure = [&](BoxMove const& move, Box const& part,
                                        std::span<double const> from) {
    if (!failure) failure = failure_of([&] { write(move, part, from); });
  };
  for (BoxMove const& move : moves) {
    if (move.from_image != me && move.to_image != me) continue;
    for (Box const& part : chunks_of(move.box, points_max)) {
      move_part(move, part, read_until_failure, write_until_failure);
    }
  }
  stop_all(runtime_.team(), failure);
}

void BoxMover::move_part(BoxMove const& move, Box const& part, Read const& read,
                         Write const& write) {
  int const me = static_cast<int>(runtime_.image().value());
  if (move.from_image != me) return receive(move, part, write);
  if (move.to_image != me) return send(move, part, read);
  std::span<double> const values(values_.data(), static_cast<std::size_t>(part.points() * fields_));
  read(move, part, values);
  write(move, part, values);
}

}  // namespace makespan::grid

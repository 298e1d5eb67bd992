// SPDX-License-Identifier: Apache-2.0
#include "makespan/sim/model/chunk_course.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace makespan::sim {

namespace {

// An item that is finished up to rounding is finished.
constexpr double rounding = 1e-12;

}  // namespace

ChunkCourse::ChunkCourse(TrueCosts const& costs, bag::ItemRange items, Pace const& pace,
                         Seconds now)
    : costs_{&costs},
      items_{items},
      pace_{pace},
      piece_{pace.speed * pace.piece},
      since_{now + pace.start},
      before_{costs.work_before(items.begin)},
      speed_before_{pace.speed} {
}

Work ChunkCourse::done(Seconds now) const {
  Seconds const time = std::max(now - since_, Seconds{});
  Work const most = costs_->work_before(items_.end);
  if (!(pace_.speed > Speed{})) return std::min(before_, most);
  return std::min(before_ + pace_.speed * time, most);
}

Seconds ChunkCourse::end() const {
  return when(items_.end);
}

Seconds ChunkCourse::piece_end(Seconds now) const {
  return when(piece_at(now).end);
}

// All items before `items` are finished.
Seconds ChunkCourse::when(std::int64_t items) const {
  Work const rest = costs_->work_before(items) - before_;
  if (!(rest > Work{})) return since_;
  if (!(pace_.speed > Speed{})) return Seconds{std::numeric_limits<double>::infinity()};
  return since_ + rest / pace_.speed;
}

std::int64_t ChunkCourse::reached(Seconds now) const {
  Work const work = done(now);
  std::int64_t const item = costs_->item_at(work * (1 + rounding));
  return std::clamp(item, items_.begin, items_.end);
}

// Pieces are cut task by task from the front of the chunk.
bag::ItemRange ChunkCourse::piece_at(Seconds now) const {
  std::int64_t const item = reached(now);
  if (item >= items_.end) return {items_.end, items_.end};
  bag::Bag const& bag = costs_->bag();
  std::int64_t const segment = bag.segment_of(item);
  bag::ItemRange const task = bag.segment_items(segment);
  bag::ItemRange const here{std::max(task.begin, items_.begin), std::min(task.end, items_.end)};
  if (pace_.mode == bag::Mode::mo) return here;
  Work const each = bag.segments()[static_cast<std::size_t>(segment)].cost_per_item;
  double const wanted = piece_ / each;
  if (!(wanted < static_cast<double>(here.items()))) return here;
  // Cut from the front of the task and not from `item`: so each look finds the same pieces.
  std::int64_t const size = std::max<std::int64_t>(1, static_cast<std::int64_t>(wanted));
  std::int64_t const begin = here.begin + (item - here.begin) / size * size;
  return {begin, std::min(begin + size, here.end)};
}

bag::ItemRange ChunkCourse::not_begun(Seconds now) const {
  return {piece_at(now).end, items_.end};
}

bag::WorkerView ChunkCourse::view(Seconds now, Speed known) const {
  bag::ItemRange const piece = piece_at(now);
  bag::WorkerView view{.not_begun = {piece.end, items_.end}, .speed = known};
  if (piece.empty()) return view;
  view.begun = costs_->bag().work_of(piece);
  Work const begun_at = costs_->work_before(piece.begin);
  if (begun_at >= before_ && pace_.speed > Speed{}) {
    view.since = (done(now) - begun_at) / pace_.speed;
  } else {
    // It was at this piece when its speed changed.
    view.since = std::max(now - since_, Seconds{});
    if (speed_before_ > Speed{}) view.since += std::max(before_ - begun_at, Work{}) / speed_before_;
  }
  return view;
}

void ChunkCourse::change_speed(Seconds now, Speed speed) {
  // With the old speed, before that is replaced; of a launch that goes on nothing is done yet.
  before_ = done(now);
  since_ = std::max(now, since_);
  speed_before_ = pace_.speed;
  pace_.speed = speed;
}

bool ChunkCourse::take_tail(Seconds now, bag::ItemRange tail) {
  bag::ItemRange const left = not_begun(now);
  // The thief chose by an older look: another may have been quicker, or the worker has begun it.
  if (tail.empty() || tail.end != left.end || tail.begin < left.begin) return false;
  items_.end = tail.begin;
  return true;
}

void ChunkCourse::take_all(Seconds now) {
  // The piece at hand is finished all the same.
  items_.end = std::max(piece_at(now).end, items_.begin);
}

}  // namespace makespan::sim

// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/detail/gang.hpp"

#include <algorithm>

namespace makespan::bag {

namespace {

// Pieces of a task for each thread: enough that the last ones end together.
constexpr std::int64_t pieces_per_thread = 8;

}  // namespace

void Gang::begin(std::int64_t item) {
  std::scoped_lock const lock(mutex_);
  window_ = {item, item};
  done_ = {item, item};
  is_open_ = true;
  // By this number threads tell the new chunk from the one that they have left.
  ++chunks_;
  changed_->notify_all();
}

ItemRange Gang::next() {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (is_stopped_ || !is_open_) return {};
    if (!window_.empty()) {
      // Off the board, not off the window: thieves take the tail of the chunk meanwhile.
      ItemRange const piece =
          board_.take_front(worker_, [this](ItemRange left) { return piece_items(left); });
      if (!piece.empty()) {
        window_.begin = piece.end;
        ++under_way_;
        return piece;
      }
      window_.end = window_.begin;  // a thief took the rest
    } else if (under_way_ > 0) {
      // No window opens before this one is finished, though threads are idle: that is what the
      // modes mean.
      changed_->wait(lock);
    } else {
      // All before the next window is finished: one range, whatever the order of its pieces was.
      done_.end = window_.begin;
      pieces_.clear();
      if (!open_window()) {
        changed_->notify_all();
        return {};
      }
      changed_->notify_all();
    }
  }
}

void Gang::finished(ItemRange piece) {
  std::scoped_lock const lock(mutex_);
  pieces_.push_back(piece);
  // Threads that are forsaken stay under way for good: the rest is back when they alone are left.
  if (--under_way_ == forsaken_) changed_->notify_all();
}

void Gang::abandoned() {
  std::scoped_lock const lock(mutex_);
  is_stopped_ = true;
  if (--under_way_ == forsaken_) changed_->notify_all();
}

std::vector<ItemRange> Gang::end() {
  std::unique_lock lock(mutex_);
  while (under_way_ > forsaken_) changed_->wait(lock);
  // What the lost thread got out of its pieces cannot be reached: all of the chunk is run again.
  if (forsaken_ > 0) return {};
  board_.end_piece(worker_);
  is_open_ = false;
  // Pieces of the last window may lie apart; those of windows before it are in done_.
  std::vector<ItemRange> done{done_};
  done.insert(done.end(), pieces_.begin(), pieces_.end());
  pieces_.clear();
  return done;
}

std::int64_t Gang::wait_for_chunk(std::int64_t seen) {
  std::unique_lock lock(mutex_);
  while (!is_shut_down_ && (!is_open_ || chunks_ <= seen)) changed_->wait(lock);
  return is_shut_down_ ? 0 : chunks_;
}

void Gang::stop() {
  std::scoped_lock const lock(mutex_);
  is_stopped_ = true;
  changed_->notify_all();
}

bool Gang::is_stopped() const {
  std::scoped_lock const lock(mutex_);
  return is_stopped_;
}

void Gang::forsake() {
  std::scoped_lock const lock(mutex_);
  is_stopped_ = true;
  ++forsaken_;
  changed_->notify_all();
}

bool Gang::is_forsaken() const {
  std::scoped_lock const lock(mutex_);
  return forsaken_ > 0;
}

void Gang::shut_down() {
  std::scoped_lock const lock(mutex_);
  is_shut_down_ = true;
  changed_->notify_all();
}

bool Gang::open_window() {
  ItemRange const left = board_.not_begun(worker_);
  if (left.empty()) return false;
  std::int64_t const first = bag_.segment_of(left.begin);
  std::int64_t const behind = bag_.segment_of(left.end - 1) + 1;
  // Whole rounds only: with fewer tasks than threads some would be idle for a whole task.
  std::int64_t const rounds = (behind - first) / threads_;
  whole_tasks_ = mode_ == Mode::mth && rounds > 0;
  std::int64_t const last = whole_tasks_ ? first + rounds * threads_ - 1 : first;
  window_ = {left.begin, std::min(bag_.segment_items(last).end, left.end)};
  piece_max_ = std::max<std::int64_t>(window_.items() / (pieces_per_thread * threads_), 1);
  // To thieves the device is at the whole window, since its speed is that of all of its threads.
  board_.begin_piece(worker_, bag_.work_of(window_), clock_.now());
  return true;
}

std::int64_t Gang::piece_items(ItemRange left) const {
  // Its pieces are parts of one task each, also where a window has several.
  std::int64_t const task_end = bag_.segment_items(bag_.segment_of(left.begin)).end;
  std::int64_t const end = std::min({left.end, window_.end, task_end});
  return whole_tasks_ ? end - left.begin : std::min(end - left.begin, piece_max_);
}

}  // namespace makespan::bag

// SPDX-License-Identifier: Apache-2.0
// What a team does about threads that take too long.
#include <exception>
#include <string>

#include "makespan/bag/detail/team_run.hpp"
#include "makespan/bag/device_failed.hpp"
#include "makespan/bag/protocol/range_word.hpp"

namespace makespan::bag {

void TeamRun::come_back(int thread) {
  auto& word = at_[static_cast<std::size_t>(thread)].piece;
  // Without a limit no other thread changes the word.
  if (!leaves_behind_) return word.store(0, std::memory_order_relaxed);
  // One exchange decides between this and look_at(): either the thread is back, or it is left
  // behind and touches nothing any more.
  std::uint64_t piece = word.load(std::memory_order_acquire);
  while (piece != left_behind) {
    if (word.compare_exchange_weak(piece, 0, std::memory_order_acq_rel)) return;
  }
  throw LeftBehind{};
}

// By the speed that is known of its worker, or the slowest one that is known.
Seconds TeamRun::predicted(int thread, ItemRange piece) const {
  TeamLayout::ThreadRole const& role = layout_.role(thread);
  Speed const speed = source_.speed_to_go_by(role.worker);
  if (!(speed > Speed{})) return {};
  // The speed is that of the whole worker, and a piece is run by one of its threads.
  auto const threads = static_cast<double>(layout_.threads_of_worker(role.worker));
  return bag_.work_of(piece) / speed * threads;
}

// The runner hears it first: where it ends the run, no other thread gets the items. What others and
// the runner throw keeps no thread from being given up.
int TeamRun::look_for_overdue(Seconds passed) noexcept {
  int left = 0;
  std::size_t const known = overdue_.size();
  try {
    for (int thread = 0; thread < layout_.threads(); ++thread) {
      if (look_at(thread, passed)) ++left;
    }
  } catch (...) {
    fail_run(std::current_exception());
  }
  auto const or_fail = [&](auto const& act) {
    try {
      act();
    } catch (...) {
      fail_run(std::current_exception());
    }
  };
  for (std::size_t at = known; at < overdue_.size(); ++at) {
    or_fail([&] { runner_.on_overdue(overdue_[at]); });
    or_fail([&] { act_on(overdue_[at]); });
  }
  return left;
}

// True if it is left behind from now on.
bool TeamRun::look_at(int thread, Seconds passed) {
  auto& word = at_[static_cast<std::size_t>(thread)].piece;
  std::uint64_t bits = word.load(std::memory_order_acquire);
  if (bits == left_behind) return false;
  ItemRange const piece = RangeWord(bits).range();
  Seconds const expected = bits == 0 ? Seconds{} : predicted(thread, piece);
  auto const found = watch_.look(thread, bits, expected, passed);
  if (found == OverdueWatch::Finding::none) return false;
  auto const [task, items] = bag_.task_items(bag_.segment_of(piece.begin), piece);
  // Before the exchange: what throws here must not leave behind a thread that is then never given
  // up.
  overdue_.push_back({.thread = thread,
                      .task = task,
                      .items = items,
                      .at_it = watch_.at_it(thread),
                      .predicted = expected});
  if (found == OverdueWatch::Finding::overdue) return false;
  overdue_.back().is_lost = word.compare_exchange_strong(bits, left_behind);
  if (!overdue_.back().is_lost) overdue_.pop_back();  // it has just come back
  return word == left_behind;
}

void TeamRun::act_on(OverduePiece const& piece) {
  TeamLayout::ThreadRole const& role = layout_.role(piece.thread);
  if (!piece.is_lost) {
    if (rule_.run_again) source_.take_back(role.worker);
    return;
  }
  if (!has_thread_left(role.device)) fail_lost_device(role.device, piece);
  give_up(piece.thread);
}

// Others of a gang leave by themselves, and its leader gives back what it holds, if it is not lost.
void TeamRun::give_up(int thread) {
  TeamLayout::ThreadRole const& role = layout_.role(thread);
  // Also of one that was left behind in an earlier run, which has no piece in this one.
  at_[static_cast<std::size_t>(thread)].piece = left_behind;
  if (Gang* const ours = gang(thread)) {
    ours->forsake();
    if (role.claims) ours->shut_down();
  }
  if (role.claims) source_.give_up(role.worker);
}

// A gang has none without all of them.
bool TeamRun::has_thread_left(int device) const {
  if (gangs_[static_cast<std::size_t>(device)]) return false;
  for (int thread = 0; thread < layout_.threads(); ++thread) {
    if (layout_.role(thread).device == device && !is_left_behind(thread)) return true;
  }
  return false;
}

void TeamRun::fail_lost_device(int device, OverduePiece const& piece) {
  std::string const text = "device " + std::to_string(device) + " has not answered for " +
                           std::to_string(piece.at_it.value()) + " s, at item " +
                           std::to_string(piece.items.begin) + " of task " +
                           std::to_string(piece.task.value());
  fail_device(device, std::make_exception_ptr(DeviceFailed(text)));
}

}  // namespace makespan::bag

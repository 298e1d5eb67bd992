// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/protocol/completion_tracker.hpp"

#include <algorithm>
#include <utility>

#include "makespan/bag/protocol/chunk_range.hpp"
#include "makespan/base/contracts.hpp"

namespace makespan::bag {

CompletionTracker::CompletionTracker(Bag const& bag, std::vector<Mode> modes, ChunkPolicy& policy,
                                     FirstClaims first_claims)
    : bag_(bag),
      modes_(std::move(modes)),
      policy_(policy),
      loop_(loop_of(bag, static_cast<int>(modes_.size()))),
      // Where workers claim by themselves only lost items are handed out here.
      cursor_(first_claims == FirstClaims::by_tracker ? 0 : bag.items()),
      finished_(bag.items()),
      states_(modes_.size(), State::working),
      steps_(modes_.size()),
      left_(static_cast<int>(modes_.size())) {
}

ClaimActions CompletionTracker::ask(WorkerFacts const& worker) {
  if (stopped_ || complete() || state_of(worker.index) == State::retired) {
    return {.order = Order::leave};
  }
  set(worker.index, State::waiting);
  ItemRange free = next_free();
  if (free.empty() && waiting_ == left_) {
    // No worker that is left holds items now (rule 4): what is not finished is lost.
    find_lost();
    free = next_free();
  }
  if (free.empty()) return {.order = Order::wait};

  ChunkRequest request{.loop = loop_,
                       .step = step_,
                       .items_left = bag_.items() - cursor_,
                       .work_left = bag_.work_of({cursor_, bag_.items()}),
                       .worker = worker};
  for (ItemRange const& range : lost_) {
    request.items_left += range.items();
    request.work_left += bag_.work_of(range);
  }
  Mode const mode = modes_[static_cast<std::size_t>(worker.index)];
  ItemRange const items = chunk_range(bag_, policy_.next_chunk(request), mode, free);
  (lost_.empty() ? cursor_ : lost_.back().begin) = items.end;
  steps_[static_cast<std::size_t>(worker.index)] = step_++;
  set(worker.index, State::working);
  return {.order = Order::run, .items = items};
}

ItemRange CompletionTracker::next_free() {
  while (!lost_.empty()) {
    // Some of it may be finished after all: by a worker that took too long (rule 7), or whose
    // report came late. Run again, it would be refused together with what is delivered beside it.
    ItemRange const gap = finished_.first_gap(lost_.back());
    lost_.back().begin = gap.begin;
    if (!gap.empty()) return gap;
    lost_.pop_back();
  }
  return {cursor_, bag_.items()};
}

void CompletionTracker::find_lost() {
  // From here on a pool may still show what is handed out again: may_use_pool() refuses.
  has_found_lost_ = true;
  ItemRange rest{0, bag_.items()};
  while (!rest.empty()) {
    ItemRange const gap = finished_.first_gap(rest);
    if (!gap.empty()) lost_.push_back(gap);
    rest.begin = gap.end;
  }
  // The dearest items come first in a bag.
  std::ranges::reverse(lost_);
}

bool CompletionTracker::may_steal(int worker, int victim) {
  // The board of one that is gone still shows items, which are lost, or handed out by now (rule 5).
  return state_of(victim) != State::retired && goes_to_work(worker);
}

bool CompletionTracker::may_use_pool(int worker) {
  return !has_found_lost_ && goes_to_work(worker);
}

bool CompletionTracker::goes_to_work(int worker) {
  if (state_of(worker) == State::retired) return false;
  set(worker, State::working);
  return true;
}

bool CompletionTracker::finish(std::span<ItemRange const> items) {
  // A delivery counts as a whole or not at all (docs/decisions/0044): nothing is marked before all
  // of it is known to be new.
  bool const are_new = std::ranges::all_of(
      items, [this](ItemRange const& range) { return finished_.has_none_of(range); });
  if (!are_new) return false;
  for (ItemRange const& range : items) finished_.mark(range);
  return true;
}

void CompletionTracker::end_chunk(ChunkReport report) {
  MAKESPAN_EXPECT(report.worker >= 0 && report.worker < std::ssize(steps_) && report.items > 0);
  // A worker is not told the number of its claim.
  report.step = steps_[static_cast<std::size_t>(report.worker)];
  policy_.chunk_finished(report);
}

void CompletionTracker::take_back(int worker) {
  if (state_of(worker) != State::retired) set(worker, State::waiting);
}

void CompletionTracker::retire(int worker) {
  if (state_of(worker) == State::retired) return;
  set(worker, State::retired);
  // All that are left may wait now. Each of them asks again some time later, and the first that
  // does has what this one held looked for.
  --left_;
}

void CompletionTracker::set(int worker, State state) {
  State& mine = state_of(worker);
  if (mine == State::waiting) --waiting_;
  if (state == State::waiting) ++waiting_;
  mine = state;
}

CompletionTracker::State& CompletionTracker::state_of(int worker) {
  MAKESPAN_EXPECT(worker >= 0 && worker < std::ssize(states_));
  return states_[static_cast<std::size_t>(worker)];
}

}  // namespace makespan::bag

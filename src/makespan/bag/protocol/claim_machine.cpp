// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/protocol/claim_machine.hpp"

#include <algorithm>
#include <utility>

#include "makespan/bag/protocol/chunk_range.hpp"
#include "makespan/base/contracts.hpp"

namespace makespan::bag {

ClaimMachine::ClaimMachine(Bag const& bag, Mode mode, ChunkPolicy& policy, SpeedTable& speeds)
    : ClaimMachine(bag, std::vector<Mode>(static_cast<std::size_t>(speeds.workers()), mode), policy,
                   speeds) {
}

ClaimMachine::ClaimMachine(Bag const& bag, std::vector<Mode> modes, ChunkPolicy& policy,
                           SpeedTable& speeds)
    : bag_(bag),
      modes_(std::move(modes)),
      policy_(policy),
      speeds_(speeds),
      loop_{loop_of(bag, speeds.workers())},
      held_(modes_.size()),
      finished_of_chunk_(held_.size()),
      finished_(bag.items()) {
  MAKESPAN_EXPECT(static_cast<int>(modes_.size()) == speeds.workers());
  returned_.reserve(held_.size());
}

ClaimActions ClaimMachine::step(ClaimEvent const& event) {
  return std::visit([this](auto const& kind) { return on(kind); }, event);
}

ItemRange ClaimMachine::held(int worker) const {
  MAKESPAN_EXPECT(worker >= 0 && worker < speeds_.workers());
  return held_[static_cast<std::size_t>(worker)];
}

ItemRange& ClaimMachine::held_by(int worker) {
  MAKESPAN_EXPECT(worker >= 0 && worker < speeds_.workers());
  return held_[static_cast<std::size_t>(worker)];
}

ClaimActions ClaimMachine::on(Ask const& ask) {
  MAKESPAN_EXPECT(held(ask.worker).empty());
  if (stopped_ || complete()) return {.order = Order::leave};
  auto const free = next_free();
  if (!free) {
    anyone_waits_ = true;
    return {.order = Order::wait};
  }
  Mode const mode = modes_[static_cast<std::size_t>(ask.worker)];
  ItemRange const items = chunk_range(bag_, size_for(ask), mode, *free);
  take(ask.worker, items);
  return {.order = Order::run, .items = items};
}

ClaimActions ClaimMachine::on(Finish const& finish) {
  MAKESPAN_EXPECT(finish.items.end <= cursor_);
  // Also of items that are no longer the worker's own: it was given up too early, and has run them.
  speeds_.record(finish.worker, bag_.work_of(finish.items), finish.taken);
  finished_.mark(finish.items);
  ItemRange& held = held_by(finish.worker);
  if (!held.empty() && finish.items.begin >= held.begin && finish.items.begin < held.end) {
    // Parts behind a gap (of a gang that was stopped) do not move the front: what is held begins
    // with the first item that is not finished.
    count(finish);
    if (finish.items.begin == held.begin) held.begin = std::min(finish.items.end, held.end);
    if (held.empty()) tell_policy(finish.worker);
  }
  // A finish frees no items: those that wait have a reason to ask only at the end.
  return {.wake = complete() && wake()};
}

ClaimActions ClaimMachine::on(Drop const& drop) {
  MAKESPAN_EXPECT(drop.items.end <= cursor_);
  std::size_t const before = returned_.size();
  return_gaps(drop.items);
  ItemRange& held = held_by(drop.worker);
  // What was dropped is done or returned: the worker does not hold it any more.
  bool const held_any = !held.empty();
  if (held_any && drop.items.begin == held.begin) held.begin = std::min(drop.items.end, held.end);
  if (held_any && held.empty()) tell_policy(drop.worker);
  return {.wake = returned_.size() > before && wake()};
}

void ClaimMachine::return_gaps(ItemRange range) {
  while (!range.empty()) {
    ItemRange const gap = finished_.first_gap(range);
    // What others have finished has its result, and is not run again.
    if (!gap.empty()) returned_.push_back(gap);
    range.begin = gap.end;
  }
}

bool ClaimMachine::are_new(std::span<ItemRange const> items) const {
  return std::ranges::all_of(
      items, [this](ItemRange const& range) { return finished_.has_none_of(range); });
}

ClaimActions ClaimMachine::on(Fail const& fail) {
  ItemRange& held = held_by(fail.worker);
  if (held.empty()) return {};
  tell_policy(fail.worker);
  returned_.push_back(std::exchange(held, ItemRange{}));
  return {.wake = wake()};
}

// The thief's chunk goes on counting as the claim that took it.
ClaimActions ClaimMachine::on(Steal const& steal) {
  ItemRange& victims = held_by(steal.victim);
  MAKESPAN_EXPECT(held(steal.thief).empty() && !steal.items.empty());
  // Steals change the board and are told here under one lock: the two never differ.
  MAKESPAN_EXPECT(steal.items.begin >= victims.begin && steal.items.end == victims.end);
  victims.end = steal.items.begin;
  auto const victims_step = finished_of_chunk_[static_cast<std::size_t>(steal.victim)].step;
  if (victims.empty()) tell_policy(steal.victim);
  held_by(steal.thief) = steal.items;
  finished_of_chunk_[static_cast<std::size_t>(steal.thief)] = {.worker = steal.thief,
                                                               .step = victims_step};
  ++steals_;
  return {};
}

ClaimActions ClaimMachine::on(Stop const& /*stop*/) {
  stopped_ = true;
  return {.wake = wake()};
}

std::optional<ItemRange> ClaimMachine::next_free() {
  while (!returned_.empty()) {
    // Some of it may be finished after all: behind what its worker told last, or by a worker that
    // was given up too early.
    ItemRange const gap = finished_.first_gap(returned_.back());
    returned_.back().begin = gap.begin;
    if (!gap.empty()) return gap;
    returned_.pop_back();
  }
  if (cursor_ == bag_.items()) return std::nullopt;
  return ItemRange{cursor_, bag_.items()};
}

ChunkSize ClaimMachine::size_for(Ask const& ask) {
  // What was given back is as free as what lies behind the cursor: policies cut all of it.
  ChunkRequest request{.loop = loop_,
                       .step = step_,
                       .items_left = bag_.items() - cursor_,
                       .work_left = {},
                       .worker = {}};
  request.work_left = bag_.work_of({cursor_, bag_.items()});
  for (ItemRange const& range : returned_) {
    request.items_left += range.items();
    request.work_left += bag_.work_of(range);
  }
  request.worker = {.index = ask.worker,
                    .measured = speeds_.measured(ask.worker) ? Measured::yes : Measured::no,
                    .speed = speeds_.speed(ask.worker),
                    .speed_total = speeds_.total(),
                    .claim_cost = ask.claim_cost};
  return policy_.next_chunk(request);
}

void ClaimMachine::take(int worker, ItemRange items) {
  held_by(worker) = items;
  finished_of_chunk_[static_cast<std::size_t>(worker)] = {.worker = worker, .step = step_};
  ++claims_;
  ++step_;
  // next_free() has offered the last of these, if there are any: the items are its first.
  if (returned_.empty()) {
    cursor_ = items.end;
    return;
  }
  returned_.back().begin = items.end;
  if (returned_.back().empty()) returned_.pop_back();
}

void ClaimMachine::count(Finish const& finish) {
  ChunkReport& so_far = finished_of_chunk_[static_cast<std::size_t>(finish.worker)];
  so_far.items += finish.items.items();
  so_far.work += bag_.work_of(finish.items);
  so_far.computing += finish.taken;
  so_far.with_claim += finish.taken + finish.claim;
}

// Once for each chunk, and not of one of which nothing was finished.
void ClaimMachine::tell_policy(int worker) {
  ChunkReport const report =
      std::exchange(finished_of_chunk_[static_cast<std::size_t>(worker)], ChunkReport{});
  if (report.items > 0) policy_.chunk_finished(report);
}

bool ClaimMachine::wake() {
  return std::exchange(anyone_waits_, false);
}

}  // namespace makespan::bag

// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/protocol/claim_machine.hpp"

#include <algorithm>
#include <utility>

#include "makespan/base/contracts.hpp"

namespace makespan::bag {

ClaimMachine::ClaimMachine(Bag const& bag, Mode mode, ChunkPolicy& policy, SpeedTable& speeds)
    : bag_(bag),
      mode_(mode),
      policy_(policy),
      speeds_(speeds),
      held_(static_cast<std::size_t>(speeds.workers())),
      held_steps_(held_.size()),
      finished_(bag.items()) {
  returned_.reserve(held_.size());
  open_next_window();
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
  ItemRange const items = snapped(mode_, bag_, wanted(ask, *free), *free);
  MAKESPAN_ENSURE(!items.empty());
  take(ask.worker, items);
  return {.order = Order::run, .items = items};
}

ClaimActions ClaimMachine::on(Finish const& finish) {
  MAKESPAN_EXPECT(finish.items.end <= cursor_);
  speeds_.record(finish.worker, bag_.work_of(finish.items), finish.taken);
  finished_.mark(finish.items);
  ItemRange& held = held_by(finish.worker);
  if (held.begin == finish.items.begin) {
    if (!held.empty() && !finish.items.empty()) tell_policy(finish);
    held.begin = std::min(finish.items.end, held.end);
  }
  if (complete()) return {.wake = wake()};
  // In mode mt all before the window is finished, so the count alone tells that the window is.
  if (finished_.count() < window_.end) return {};
  open_next_window();
  return {.wake = wake()};
}

ClaimActions ClaimMachine::on(Fail const& fail) {
  ItemRange& held = held_by(fail.worker);
  if (held.empty()) return {};
  returned_.push_back(std::exchange(held, ItemRange{}));
  return {.wake = wake()};
}

ClaimActions ClaimMachine::on(Stop const& /*stop*/) {
  stopped_ = true;
  return {.wake = wake()};
}

void ClaimMachine::open_next_window() {
  int const workers = speeds_.workers();
  step_ = 0;
  if (mode_ == Mode::mt && cursor_ < bag_.items()) {
    window_ = bag_.segment_items(bag_.segment_of(cursor_));
    loop_ = {.items = window_.items(),
             .work = bag_.work_of(window_),
             .item_cost_spread = 0.0,
             .workers = workers};
  } else {
    window_ = {0, bag_.items()};
    loop_ = {.items = bag_.items(),
             .work = bag_.work(),
             .item_cost_spread = bag_.item_cost_spread(),
             .workers = workers};
  }
}

std::optional<ItemRange> ClaimMachine::next_free() {
  while (!returned_.empty()) {
    // A worker given up too early may have finished some of it after all.
    ItemRange const left = finished_.trimmed(returned_.back());
    returned_.back() = left;
    if (!left.empty()) return left;
    returned_.pop_back();
  }
  if (cursor_ == window_.end) return std::nullopt;
  return ItemRange{cursor_, window_.end};
}

ItemRange ClaimMachine::wanted(Ask const& ask, ItemRange free) {
  ChunkRequest request{.loop = loop_,
                       .step = step_,
                       .items_left = window_.end - cursor_,
                       .work_left = {},
                       .worker = {}};
  request.work_left = bag_.work_of({cursor_, window_.end});
  for (ItemRange const& range : returned_) {
    request.items_left += range.items();
    request.work_left += bag_.work_of(range);
  }
  request.worker = {.index = ask.worker,
                    .measured = speeds_.measured(ask.worker),
                    .speed = speeds_.speed(ask.worker),
                    .speed_total = speeds_.total(),
                    .claim_cost = ask.claim_cost};
  ChunkSize const size = policy_.next_chunk(request);
  if (auto const* const items = size.items()) {
    MAKESPAN_ENSURE(*items >= 1 && *items <= request.items_left);
    return {free.begin, free.begin + std::min(*items, free.items())};
  }
  MAKESPAN_ENSURE(*size.work() > Work{0.0});
  std::int64_t const end = bag_.items_worth(bag_.work_before(free.begin) + *size.work());
  return {free.begin, std::clamp(end, free.begin + 1, free.end)};
}

void ClaimMachine::take(int worker, ItemRange items) {
  held_by(worker) = items;
  held_steps_[static_cast<std::size_t>(worker)] = step_;
  ++claims_;
  ++step_;
  if (returned_.empty()) {
    cursor_ = items.end;
    return;
  }
  returned_.back().begin = items.end;
  if (returned_.back().empty()) returned_.pop_back();
}

void ClaimMachine::tell_policy(Finish const& finish) {
  policy_.chunk_finished({.worker = finish.worker,
                          .step = held_steps_[static_cast<std::size_t>(finish.worker)],
                          .items = finish.items.items(),
                          .work = bag_.work_of(finish.items),
                          .computing = finish.taken,
                          .with_claim = finish.taken + finish.claim});
}

bool ClaimMachine::wake() {
  return std::exchange(anyone_waits_, false);
}

}  // namespace makespan::bag

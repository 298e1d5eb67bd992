// SPDX-License-Identifier: Apache-2.0
#include "makespan/sim/grids/detail/device_turns.hpp"

#include <algorithm>
#include <utility>

#include "makespan/base/contracts.hpp"

namespace makespan::sim {

namespace {

using Part = GridLayout::Part;

}  // namespace

DeviceTurns::DeviceTurns(GridJob const& job, GridRoster const& roster)
    : job_{job},
      roster_{roster},
      ways_{job, roster},
      flight_{job, roster, ways_, events_},
      speeds_{speeds_of(job, roster)},
      devices_(as_index(roster.devices())),
      step_ends_(as_index(job.steps + 1)) {
}

void DeviceTurns::lay(GridLayout const& layout) {
  layout_ = &layout;
  slabs_.assign(layout.slabs().size(), {});
  for (DeviceState& at : devices_) {
    at.slabs.clear();
    at.has_exchanged = false;
    at.exchange = 0;
  }
  for (std::size_t slab = 0; slab < slabs_.size(); ++slab) {
    of(layout.slabs()[slab].device).slabs.push_back(static_cast<int>(slab));
  }
  std::vector<MessageWay> ways;
  ways.reserve(layout.messages().size());
  for (grid::HaloMessage const& message : layout.messages()) {
    ways.push_back(
        ways_.way(message, laid(message.from_slab).device, laid(message.to_slab).device));
  }
  flight_.take(std::move(ways));
}

DeviceLoad DeviceTurns::take_load(int device) {
  return std::exchange(of(device).load, {});
}

Seconds DeviceTurns::run(std::int64_t end_step, Seconds begin) {
  for (int device = 0; device < roster_.devices(); ++device) {
    DeviceState& at = of(device);
    at.end_step = end_step;
    at.end = begin;
    if (at.slabs.empty()) {
      // It only moves messages; a later cut may give it planes, from the step that all are at.
      at.step = end_step;
    } else {
      begin_turn(device);
    }
  }
  // Until none is left: devices end a stretch with what they sent there, so no message of it can
  // come into the next one, which may have another layout.
  while (!events_.is_empty()) take(events_.pop());
  Seconds last = begin;
  for (DeviceState const& at : devices_) {
    MAKESPAN_ENSURE(at.state == ThreadState::done);
    last = std::max(last, at.end);
  }
  return last;
}

void DeviceTurns::take(GridEvent const& event) {
  switch (event.kind) {
    case GridEventKind::hop:
      return flight_.pass(event);
    case GridEventKind::arrival:
      return arrive(event);
    case GridEventKind::device:
      // What came has made its task longer, and asked for a later event.
      if (event.tag != of(event.subject).events) return;
      end_task(event.subject);
      go_on(event.subject);
  }
}

// --- a turn of a device: one task after the other

void DeviceTurns::begin_turn(int device) {
  DeviceState& at = of(device);
  at.task = 0;
  at.steps = 0;
  at.sweeping = at.halos = Seconds{};
  // As grid::DeviceRun: on new slabs neighbours have sent nothing yet.
  if (!at.has_exchanged) {
    at.tasks = exchange_program(at.slabs);
  } else {
    at.steps = static_cast<int>(std::min<std::int64_t>(job_.steps_at_once, at.end_step - at.step));
    at.tasks = step_program(at.slabs, job_.schedule);
  }
  go_on(device);
}

void DeviceTurns::go_on(int device) {
  DeviceState& at = of(device);
  // Tasks that take no time are ended here, without an event.
  while (at.task < at.tasks.size()) {
    at.begin = at.end;
    if (begin(device, at.tasks[at.task])) return;
    end_task(device);
  }
  end_turn(device);
}

bool DeviceTurns::begin(int device, DeviceTask const& task) {
  switch (task.op) {
    case DeviceOp::sweep_boundary:
    case DeviceOp::sweep_interior:
    case DeviceOp::sweep_all:
      return model(device).is_queued ? queue_sweep(device, task) : begin_sweep(device, task);
    case DeviceOp::send:
      return begin_send(device, task);
    case DeviceOp::wait:
    case DeviceOp::finish_puts:
      return begin_wait(device, task);
    case DeviceOp::unpack:
      return begin_unpack(device, task);
    case DeviceOp::finish_sweeps:
      return finish_sweeps(device);
  }
  return false;
}

bool DeviceTurns::until(int device, Seconds end, ThreadState state) {
  DeviceState& at = of(device);
  at.state = state;
  at.end = end;
  if (!(end > at.begin)) return false;
  events_.push({.time = end, .kind = GridEventKind::device, .subject = device, .tag = ++at.events});
  return true;
}

bool DeviceTurns::begin_sweep(int device, DeviceTask const& task) {
  DeviceState& at = of(device);
  Part const part = task.op == DeviceOp::sweep_boundary   ? Part::boundary
                    : task.op == DeviceOp::sweep_interior ? Part::interior
                                                          : Part::all;
  double const points = layout_->points(task.slab, part, at.steps);
  Seconds begin = at.begin + std::exchange(at.owed, Seconds{});
  // The start is of a step: of its first sweep, whatever slab that is of.
  if (at.task == 0) begin += model(device).start;
  return until(device, speeds_[as_index(device)].end_of(points, begin), ThreadState::computing);
}

// Boundaries have a queue of their own, which comes first; interiors, in the other one, have what
// that leaves of the accelerator. The thread waits for the boundary, which it packs next.
bool DeviceTurns::queue_sweep(int device, DeviceTask const& task) {
  DeviceState& at = of(device);
  // It was queued with the boundary, and finish_sweeps() waits for it.
  if (task.op == DeviceOp::sweep_interior) return until(device, at.begin, ThreadState::idle);
  Seconds begin = at.begin + std::exchange(at.owed, Seconds{});
  if (at.task == 0) begin += model(device).start;
  bool const is_all = task.op == DeviceOp::sweep_all;
  double const first = layout_->points(task.slab, is_all ? Part::all : Part::boundary, at.steps);
  double const rest = is_all ? 0.0 : layout_->points(task.slab, Part::interior, at.steps);
  if (at.task == 0) at.sweeps_begin = begin;
  SpeedCourse const& speed = speeds_[as_index(device)];
  at.urgent = speed.end_of(first, std::max(at.urgent, begin));
  // Whichever comes first, all are done when all of them take.
  Seconds const queued = std::max(at.queue, begin);
  at.queue = speed.end_of(first + rest, queued);
  at.interior_busy += at.queue - (rest > 0.0 ? speed.end_of(first, queued) : queued);
  // Without an interior there is nothing behind which halos could travel: it waits for all.
  if (!(rest > 0.0)) return until(device, at.queue, ThreadState::idle);
  // It packs what the boundary becomes, and looks at nothing else until it has.
  return until(device, at.urgent, ThreadState::packing);
}

// Halos are unpacked beside the interior: the thread waits for it last.
bool DeviceTurns::finish_sweeps(int device) {
  DeviceState& at = of(device);
  if (!model(device).is_queued) return until(device, at.begin, ThreadState::idle);
  Seconds const begin = at.begin + std::exchange(at.owed, Seconds{});
  return until(device, std::max(begin, at.queue), ThreadState::idle);
}

bool DeviceTurns::begin_send(int device, DeviceTask const& task) {
  DeviceState& at = of(device);
  Seconds now = at.begin + std::exchange(at.owed, Seconds{});
  for (int const message : laid(task.slab).sent) {
    MessageWay const& way = flight_.way(message);
    now += way.pack;
    // Pieces leave while those behind them are put.
    Seconds const first = now + way.send / way.pieces;
    now += way.send;
    if (way.is_put) ++at.puts;
    flight_.send(message, at.exchange, first, now);
  }
  return until(device, now, ThreadState::packing);
}

bool DeviceTurns::is_through(int device) const {
  DeviceState const& at = devices_[as_index(device)];
  DeviceTask const& task = at.tasks[at.task];
  if (task.op == DeviceOp::finish_puts) return at.puts == 0;
  auto const parity = as_index(at.exchange % exchanges_kept);
  return slabs_[as_index(task.slab)].come[parity] == std::ssize(laid(task.slab).received);
}

bool DeviceTurns::begin_wait(int device, DeviceTask const& task) {
  DeviceState& at = of(device);
  if (!is_through(device)) {
    // What it owes it does while it waits, before it is at what comes next.
    at.served = std::max(at.served, at.begin + std::exchange(at.owed, Seconds{}));
    at.state = ThreadState::waiting;
    return true;
  }
  auto const parity = as_index(at.exchange % exchanges_kept);
  bool const is_for_puts = task.op == DeviceOp::finish_puts;
  Seconds const ready = is_for_puts ? at.puts_done : slabs_[as_index(task.slab)].ready[parity];
  Seconds const begin = at.begin + std::exchange(at.owed, Seconds{});
  // For the exchange after the next: the next one counts with the other parity.
  if (!is_for_puts) slabs_[as_index(task.slab)].come[parity] = 0;
  return until(device, std::max(begin, ready), ThreadState::idle);
}

void DeviceTurns::wake(int device) {
  DeviceState& at = of(device);
  if (at.state != ThreadState::waiting || !is_through(device)) return;
  // As begun again: whether it is through is known now.
  if (!begin_wait(device, at.tasks[at.task])) {
    end_task(device);
    go_on(device);
  }
}

bool DeviceTurns::begin_unpack(int device, DeviceTask const& task) {
  DeviceState& at = of(device);
  Seconds now = at.begin + std::exchange(at.owed, Seconds{});
  for (int const message : laid(task.slab).received) {
    now += flight_.way(message).unpack;
  }
  return until(device, now, ThreadState::packing);
}

void DeviceTurns::end_task(int device) {
  DeviceState& at = of(device);
  DeviceTask const& task = at.tasks[at.task];
  GridPhase phase = phase_of(task.op);
  // A slab without an interior has nothing behind which its halos could travel.
  if (phase == GridPhase::boundary && laid(task.slab).regions.interior.is_empty()) {
    phase = GridPhase::interior;
  }
  Seconds const took = at.end - at.begin;
  at.times[static_cast<std::size_t>(phase)] += took;
  if (phase == GridPhase::boundary || phase == GridPhase::interior) at.sweeping += took;
  if (phase == GridPhase::interior && !model(laid(task.slab).device).is_queued) {
    at.interior_busy += took;
  }
  if (phase == GridPhase::send || phase == GridPhase::unpack) at.halos += took;
  if (took > Seconds{} && std::ssize(spans_) < job_.spans_kept) {
    spans_.push_back(
        {.device = device, .phase = phase, .step = at.step, .begin = at.begin, .end = at.end});
  }
  // It is at what has come, still.
  if (at.served > at.end) at.owed += std::exchange(at.served, at.end) - at.end;
  ++at.task;
}

// As grid::DeviceRun::advance(): of an accelerator's step halos are a part only where they take
// longer than its sweeps.
void DeviceTurns::add_load(DeviceState& at, bool is_queued) {
  Seconds const busy = is_queued ? at.queue - at.sweeps_begin : at.sweeping;
  at.load.busy += busy;
  at.load.besides += is_queued ? std::max(Seconds{}, at.halos + at.sweeping - busy) : at.halos;
}

void DeviceTurns::end_turn(int device) {
  DeviceState& at = of(device);
  at.has_exchanged = true;
  ++at.exchange;
  if (at.steps > 0) {
    for (int const slab : at.slabs) {
      at.load.planes += laid(slab).planes * at.steps;
    }
    at.load.steps += at.steps;
    add_load(at, model(device).is_queued);
    at.step += at.steps;
    step_ends_[as_index(at.step)] = std::max(step_ends_[as_index(at.step)], at.end);
  }
  if (at.step == at.end_step) {
    at.state = ThreadState::done;
    return;
  }
  begin_turn(device);
}

// --- what comes

// When the device's thread has it; what that takes of it delays what it is at.
Seconds DeviceTurns::receive(int device, MessageWay const& way, GridEvent const& event) {
  DeviceState& at = of(device);
  Seconds const piece = way.receive / way.pieces;
  // By stores of the sender, or by a host: the thread has nothing to do for it.
  if (!(way.receive > Seconds{})) return event.last;
  switch (at.state) {
    case ThreadState::computing:
      until(device, at.end + way.receive, ThreadState::computing);
      return event.last + piece;
    case ThreadState::packing:
    case ThreadState::done:
      // It looks when it is through with packing; the time is added to what it does then.
      at.owed += way.receive;
      return std::max(at.end, event.last) + at.owed;
    case ThreadState::idle:
    case ThreadState::waiting:
      break;
  }
  Seconds const begin = std::max(event.first, at.served);
  at.served = std::max(begin + way.receive, event.last + piece);
  return at.served;
}

void DeviceTurns::arrive(GridEvent const& event) {
  grid::HaloMessage const& message = layout_->messages()[as_index(event.subject)];
  MessageWay const& way = flight_.way(event.subject);
  int const device = laid(message.to_slab).device;
  int const sender = laid(message.from_slab).device;
  SlabState& slab = slabs_[as_index(message.to_slab)];
  auto const parity = as_index(event.tag % exchanges_kept);
  Seconds const ready = receive(device, way, event);
  ++slab.come[parity];
  slab.ready[parity] = std::max(slab.ready[parity], ready);
  if (way.is_put) {
    DeviceState& from = of(sender);
    --from.puts;
    // That it is there the sender hears a latency later.
    from.puts_done = std::max(from.puts_done, ready + job_.network.out.latency);
    wake(sender);
  }
  wake(device);
}

}  // namespace makespan::sim

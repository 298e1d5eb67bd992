// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/detail/device_run.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <thread>
#include <utility>

namespace makespan::grid {

namespace {

using Clock = std::chrono::steady_clock;

Clock::duration duration_of(Seconds time) {
  return std::chrono::round<Clock::duration>(std::chrono::duration<double>(time.value()));
}

// Keeps the core until `factor` times as long has passed since `begin`.
void stretch(Clock::time_point begin, double factor) {
  if (factor <= 1) return;
  auto const end =
      begin + std::chrono::duration_cast<Clock::duration>((Clock::now() - begin) * factor);
  // Busy all the time, as a slower core would be: asleep, it would leave its core to others.
  while (Clock::now() < end) {
  }
}

// Leaves the core to others until then, and does not sleep beyond it.
void sleep_until(Clock::time_point end, Pause const& pause) {
  constexpr std::chrono::microseconds nap{50};
  while (Clock::now() < end) {
    pause();
    // A nap may be some times as long as was asked for.
    if (end - Clock::now() > 4 * nap) {
      std::this_thread::sleep_for(nap);
    } else {
      std::this_thread::yield();
    }
  }
}

void drive_progress(void* endpoint) {
  static_cast<pgas::Endpoint*>(endpoint)->progress();
}

Sweep sweep_of(Slab const& slab, Box const& box, std::int64_t step, int steps) {
  return {.box = box,
          .step = step,
          .steps = steps,
          .now = slab.fields.now(),
          .next = slab.fields.next()};
}

}  // namespace

std::int64_t exchanges_of(Stretch const& stretch) {
  std::int64_t const at_once = stretch.steps_at_once;
  return (stretch.has_halos ? 0 : 1) + (stretch.steps + at_once - 1) / at_once;
}

DeviceRun::DeviceRun(GridDevice device, std::int64_t halo_width, std::int64_t spans_kept)
    : device_{std::move(device)},
      shape_{device_.stencil->shape()},
      halo_width_{halo_width},
      thread_team_{device_.cores},
      clock_{spans_kept} {
}

SlabFields DeviceRun::fields(SlabPlan plan) const {
  if (!device_.accelerator) return SlabFields(std::move(plan));
  return SlabFields(std::move(plan),
                    [&](std::int64_t doubles) { return device_.accelerator->memory(doubles); });
}

// Each thread its own planes, however late it is: that places them in the memory that it is near.
void DeviceRun::clear(SlabFields& fields) {
  if (device_.accelerator) return;  // its memory is 0 from the beginning
  std::int64_t const planes = fields.box().extent().z;
  // Each thread touches first what it will sweep (parts_for_threads()), so that the memory is on
  // its NUMA node. With too few planes for that they sweep by rows, and one thread clears all.
  thread_team_.run([&](int thread) {
    Box const whole{{0, 0, 0}, {1, 1, planes}};
    Box const part =
        parts_for_threads(whole, thread_team_.threads())[static_cast<std::size_t>(thread)];
    // As many as parts_for_threads() asks for before it divides planes.
    bool const is_by_planes = planes >= 4 * thread_team_.threads();
    if (!is_by_planes && thread > 0) return;
    bool const is_last = !is_by_planes || thread == thread_team_.threads() - 1;
    fields.clear(thread == 0 ? fields.first_plane() : part.begin.z,
                 is_last ? fields.last_plane() : part.end.z);
  });
}

void DeviceRun::for_each_part(Box const& box, std::function<void(Box const&)> const& work) {
  auto const parts = parts_for_threads(box, thread_team_.threads());
  thread_team_.run_parts(
      [&](int part, int /*thread*/) { work(parts[static_cast<std::size_t>(part)]); });
}

double DeviceRun::slowdown_at(std::int64_t step) const {
  double factor = 1;
  for (Slowdown const& slowdown : device_.slowdowns) {
    if (step >= slowdown.from) factor = slowdown.factor;
  }
  return factor;
}

DeviceTimes DeviceRun::times() const {
  DeviceTimes times = clock_.times();
  if (!device_.accelerator) times.busy = times.boundary + times.interior;
  return times;
}

Seconds DeviceRun::busy_since(Clock::time_point begin, DeviceTimes const& before,
                              std::int64_t step) {
  if (device_.accelerator) {
    Seconds const busy = device_.accelerator->take_busy();
    // It began with the step, and is done.
    clock_.add(Phase::sweep, step, begin, begin + duration_of(busy));
    return busy;
  }
  DeviceTimes const& now = clock_.times();
  // Differences first: rounding makes none of them negative.
  return (now.boundary - before.boundary) + (now.interior - before.interior);
}

void DeviceRun::finish(pgas::Endpoint& here) {
  // This thread's core may be one that computes: after a while it sleeps between two looks. No
  // limit: a step takes what it takes, and is_done() throws where the accelerator has failed.
  here.wait_until([&] { return device_.accelerator->is_done(); }, {.call = "an accelerator's step",
                                                                   .image = here.address().image,
                                                                   .limit = pgas::WaitLimit::none});
}

void DeviceRun::sweep(Slab& slab, std::span<Box const> boxes, SweepQueue queue, Moment const& at,
                      pgas::Endpoint& here) {
  if (std::ranges::all_of(boxes, &Box::is_empty)) return;
  std::int64_t points = 0;
  for (Box const& box : boxes) points += box.points();
  if (queue == SweepQueue::boundary) left_.boundary -= points;
  // An accelerator's interior is done when it says so.
  if (queue == SweepQueue::boundary || !device_.accelerator) left_.all -= points;
  if (device_.accelerator) {
    for (Box const& box : boxes) {
      if (box.is_empty()) continue;
      device_.accelerator->sweep(sweep_of(slab, box, at.step, at.steps), queue);
    }
    return;
  }
  double const factor = slowdown_at(at.step);
  auto const begin = Clock::now();
  // All boxes in one call: threads wait for each other once, however many layers there are.
  thread_team_.run_parts([&](int part, int thread) {
    auto const part_begin = Clock::now();
    // Endpoints are for one thread: the driver's, which is the first of the team's.
    Pause const pause = thread == 0 ? Pause(&drive_progress, &here) : Pause();
    for (Box const& box : boxes) {
      auto const parts = parts_for_threads(box, thread_team_.threads());
      Box const& mine = parts[static_cast<std::size_t>(part)];
      if (mine.is_empty()) continue;
      Sweep job = sweep_of(slab, mine, at.step, at.steps);
      job.pause = pause;
      device_.stencil->sweep(job);
    }
    stretch(part_begin, factor);
  });
  sleep_until(begin + duration_of(static_cast<double>(points) * device_.point_time),
              Pause(&drive_progress, &here));
}

void DeviceRun::receive(HaloExchange& exchange, pgas::Endpoint& here, Slab& slab,
                        std::span<FieldView const> views, Moment const& at) {
  {
    auto const timing = clock_.time(Phase::wait, at.step);
    counts_.surplus += exchange.wait(here, slab, at.exchange);
  }
  {
    auto const timing = clock_.time(Phase::unpack, at.step);
    exchange.unpack_all(thread_team_, slab, views, at.exchange);
    if (slab.accelerator == nullptr && shape_.reads_row_ends) fill_row_ends(views, halo_width_);
  }
  if (slab.accelerator == nullptr) return;
  // It has unpacked what came beside the interior, which is swept still.
  auto const timing = clock_.time(Phase::interior, at.step);
  finish(here);
}

void DeviceRun::exchange_now(HaloExchange& exchange, pgas::Endpoint& here, Moment const& at) {
  // All are sent before any is waited for: slabs of this device may be each other's neighbours.
  for (Slab& slab : slabs_) {
    exchange.send(sender(here, at), slab, slab.sent, slab.fields.current_exchanged_fields());
  }
  for (Slab& slab : slabs_)
    receive(exchange, here, slab, slab.fields.current_exchanged_fields(), at);
  send_buffer_.clear();
}

void DeviceRun::run(Stretch const& stretch, HaloExchange& exchange, pgas::Endpoint& here) {
  try {
    make_steps(stretch, exchange, here);
  } catch (...) {
    // This device may be gone before its last halos are with the neighbours.
    send_buffer_.leave();
    throw;
  }
}

void DeviceRun::make_steps(Stretch const& stretch, HaloExchange& exchange, pgas::Endpoint& here) {
  std::int64_t points = 0;
  for (Slab const& slab : slabs_) points += slab.fields.box().points();
  clock_.set_points(points);
  Moment at{.step = stretch.step, .exchange = stretch.exchange};
  // After new values, or new slabs, neighbours have sent nothing yet.
  if (!stretch.has_halos) {
    exchange_now(exchange, here, at);
    ++at.exchange;
  }
  std::int64_t const end = stretch.step + stretch.steps;
  for (; at.step < end; at.step += stretch.steps_at_once, ++at.exchange) {
    std::int64_t const rest = end - at.step;
    at.steps = static_cast<int>(std::min<std::int64_t>(stretch.steps_at_once, rest));
    advance(exchange, here, at);
  }
}

void DeviceRun::advance_boundary(Slab& slab, HaloExchange& exchange, pgas::Endpoint& here,
                                 Moment const& at) {
  bool const has_interior = !slab.interior.is_empty();
  bool is_first = true;
  for (Stage const& stage : slab.stages) {
    {
      // First what others wait for: it travels while the interior is swept.
      // A slab without an interior has nothing behind which its halos could travel.
      auto const timing = clock_.time(has_interior ? Phase::boundary : Phase::interior, at.step);
      sweep(slab, stage.boxes, SweepQueue::boundary, at, here);
      // An accelerator does its interior while this thread sends.
      if (slab.accelerator != nullptr && has_interior && is_first) {
        sweep(slab, std::span(&slab.interior, 1), SweepQueue::interior, at, here);
      } else if (slab.accelerator != nullptr && !has_interior) {
        finish(here);
      }
      is_first = false;
    }
    auto const messages = std::ssize(stage.messages);
    if (left_.all > 0) counts_.hidden += messages;
    if (left_.boundary > 0) counts_.early += messages;
    exchange.send(sender(here, at), slab, stage.messages, slab.fields.next_exchanged_fields());
  }
}

void DeviceRun::advance_interior(Slab& slab, pgas::Endpoint& here, Moment const& at) {
  if (slab.interior.is_empty()) return;
  auto const timing = clock_.time(Phase::interior, at.step);
  if (slab.accelerator == nullptr) {
    sweep(slab, std::span(&slab.interior, 1), SweepQueue::interior, at, here);
    return;
  }
  // An accelerator's goes on while halos come: receive() waits for both.
  left_.all -= slab.interior.points();
}

void DeviceRun::advance(HaloExchange& exchange, pgas::Endpoint& here, Moment const& at) {
  auto const begin = Clock::now();
  DeviceTimes const before = clock_.times();
  left_ = {};
  for (Slab const& slab : slabs_) {
    left_.all += slab.fields.box().points();
    left_.boundary += slab.fields.box().points() - slab.interior.points();
  }
  // Of all slabs before any interior, behind which their halos travel.
  for (Slab& slab : slabs_) advance_boundary(slab, exchange, here, at);
  for (Slab& slab : slabs_) {
    // By what it was cut by: what both sides of a wider halo compute twice is not counted.
    load_.planes += slab.planes * at.steps;
    advance_interior(slab, here, at);
  }
  for (Slab& slab : slabs_) {
    receive(exchange, here, slab, slab.fields.next_exchanged_fields(), at);
    slab.fields.advance();
  }
  DeviceTimes const after = clock_.times();
  Seconds const busy = busy_since(begin, before, at.step);
  Seconds const halos =
      (after.pack - before.pack) + (after.send - before.send) + (after.unpack - before.unpack);
  load_.busy += busy;
  load_.steps += at.steps;
  if (device_.accelerator) {
    // Of an accelerator's step halos are a part only where they take longer than its sweeps.
    Seconds const all =
        halos + (after.boundary - before.boundary) + (after.interior - before.interior);
    load_.besides += std::max(Seconds{0.0}, all - busy);
  } else {
    load_.besides += halos;
  }
  auto const timing = clock_.time(Phase::wait, at.step);
  // Last of all: what was put had the whole step to arrive.
  send_buffer_.clear();
}

DeviceRun::Load DeviceRun::take_load() {
  return std::exchange(load_, Load{});
}

}  // namespace makespan::grid

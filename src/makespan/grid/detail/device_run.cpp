// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/detail/device_run.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <utility>

namespace makespan::grid {

namespace {

using Clock = std::chrono::steady_clock;

// Keeps the core until `factor` times as long has passed since `begin`.
void stretch(Clock::time_point begin, double factor) {
  if (factor <= 1) return;
  auto const end =
      begin + std::chrono::duration_cast<Clock::duration>((Clock::now() - begin) * factor);
  while (Clock::now() < end) {
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

void DeviceRun::clear(SlabFields& fields) {
  std::int64_t const planes = fields.box().extent().z;
  thread_team_.run([&](int thread) {
    Box const whole{{0, 0, 0}, {1, 1, planes}};
    Box const part =
        parts_for_threads(whole, thread_team_.threads())[static_cast<std::size_t>(thread)];
    bool const is_by_planes = planes >= 4 * thread_team_.threads();
    if (!is_by_planes && thread > 0) return;
    bool const is_last = !is_by_planes || thread == thread_team_.threads() - 1;
    fields.clear(thread == 0 ? fields.first_plane() : part.begin.z,
                 is_last ? fields.last_plane() : part.end.z);
  });
}

void DeviceRun::for_each_part(Box const& box, std::function<void(Box const&)> const& work) {
  auto const parts = parts_for_threads(box, thread_team_.threads());
  thread_team_.run([&](int thread) { work(parts[static_cast<std::size_t>(thread)]); });
}

double DeviceRun::slowdown_at(std::int64_t step) const {
  double factor = 1;
  for (Slowdown const& slowdown : device_.slowdowns) {
    if (step >= slowdown.from) factor = slowdown.factor;
  }
  return factor;
}

Seconds DeviceRun::busy_since(DeviceTimes const& before) const {
  if (device_.accelerator) return device_.accelerator->take_busy();
  DeviceTimes const& now = clock_.times();
  // Differences first: rounding makes none of them negative.
  return (now.boundary - before.boundary) + (now.interior - before.interior);
}

void DeviceRun::finish(pgas::Endpoint& here) {
  while (!device_.accelerator->is_done()) here.progress();
}

void DeviceRun::sweep(Slab& slab, Part part, std::int64_t step, int steps, pgas::Endpoint& here) {
  std::vector<Box> boxes;
  if (part == Part::boundary) boxes = slab.regions.boundary;
  if (part == Part::interior) boxes = {slab.regions.interior};
  if (part == Part::all) boxes = {slab.fields.box()};
  std::erase_if(boxes, [](Box const& box) { return box.is_empty(); });
  if (boxes.empty()) return;
  if (device_.accelerator) {
    SweepQueue const queue = part == Part::boundary ? SweepQueue::boundary : SweepQueue::interior;
    for (Box const& box : boxes) {
      device_.accelerator->sweep(sweep_of(slab, box, step, steps), queue);
    }
    return;
  }
  double const factor = slowdown_at(step);
  thread_team_.run([&](int thread) {
    auto const begin = Clock::now();
    Pause const pause = thread == 0 ? Pause(&drive_progress, &here) : Pause();
    for (Box const& box : boxes) {
      auto const parts = parts_for_threads(box, thread_team_.threads());
      Box const& mine = parts[static_cast<std::size_t>(thread)];
      if (mine.is_empty()) continue;
      Sweep job = sweep_of(slab, mine, step, steps);
      job.pause = pause;
      device_.stencil->sweep(job);
    }
    stretch(begin, factor);
  });
}

void DeviceRun::receive(HaloExchange& exchange, pgas::Endpoint& here, Slab& slab,
                        std::span<FieldView const> views, Moment const& at) {
  {
    auto const timing = clock_.time(Phase::wait, at.step);
    exchange.wait(here, slab, at.exchange);
  }
  auto const timing = clock_.time(Phase::unpack, at.step);
  exchange.unpack_all(slab, views, at.exchange);
  if (slab.accelerator != nullptr) finish(here);
  if (shape_.reads_row_ends) fill_row_ends(views, halo_width_);
}

void DeviceRun::exchange_now(HaloExchange& exchange, pgas::Endpoint& here, Moment const& at) {
  for (Slab& slab : slabs_) {
    auto const timing = clock_.time(Phase::send, at.step);
    exchange.send(here, send_buffer_, slab, slab.fields.current_exchanged_fields(), at.exchange);
  }
  for (Slab& slab : slabs_)
    receive(exchange, here, slab, slab.fields.current_exchanged_fields(), at);
  send_buffer_.clear();
}

void DeviceRun::run(Stretch const& stretch, HaloExchange& exchange, pgas::Endpoint& here) {
  if (device_.accelerator) device_.accelerator->begin();
  std::int64_t points = 0;
  for (Slab const& slab : slabs_) points += slab.fields.box().points();
  clock_.set_points(points);
  Moment at{stretch.step, stretch.exchange};
  // After new values, or new slabs, neighbours have sent nothing yet.
  if (!stretch.has_halos) {
    exchange_now(exchange, here, at);
    ++at.exchange;
  }
  std::int64_t const end = stretch.step + stretch.steps;
  for (; at.step < end; at.step += stretch.steps_at_once, ++at.exchange) {
    std::int64_t const rest = end - at.step;
    int const steps = static_cast<int>(std::min<std::int64_t>(stretch.steps_at_once, rest));
    advance(stretch.schedule, steps, exchange, here, at);
  }
}

void DeviceRun::advance(Schedule schedule, int steps, HaloExchange& exchange, pgas::Endpoint& here,
                        Moment const& at) {
  bool const has_overlap = schedule == Schedule::overlap;
  DeviceTimes const before = clock_.times();
  for (Slab& slab : slabs_) {
    {
      // First what others wait for: it travels while the interior is swept.
      auto const timing = clock_.time(has_overlap ? Phase::boundary : Phase::interior, at.step);
      sweep(slab, has_overlap ? Part::boundary : Part::all, at.step, steps, here);
      // An accelerator does its interior while this thread sends.
      if (slab.accelerator != nullptr && has_overlap) {
        sweep(slab, Part::interior, at.step, steps, here);
      } else if (slab.accelerator != nullptr) {
        finish(here);
      }
    }
    auto const timing = clock_.time(Phase::send, at.step);
    exchange.send(here, send_buffer_, slab, slab.fields.next_exchanged_fields(), at.exchange);
  }
  for (Slab& slab : slabs_) {
    load_.planes += slab.fields.box().extent().z * steps;
    if (!has_overlap) continue;
    auto const timing = clock_.time(Phase::interior, at.step);
    if (slab.accelerator != nullptr) {
      finish(here);
    } else {
      sweep(slab, Part::interior, at.step, steps, here);
    }
  }
  for (Slab& slab : slabs_) {
    receive(exchange, here, slab, slab.fields.next_exchanged_fields(), at);
    slab.fields.advance();
  }
  DeviceTimes const after = clock_.times();
  load_.busy += busy_since(before);
  load_.steps += steps;
  load_.besides += (after.send - before.send) + (after.unpack - before.unpack);
  auto const timing = clock_.time(Phase::wait, at.step);
  // Last of all: what was put had the whole step to arrive.
  send_buffer_.clear();
}

DeviceRun::Load DeviceRun::take_load() {
  return std::exchange(load_, Load{});
}

}  // namespace makespan::grid

// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/device_run.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <utility>

namespace makespan::grid {

namespace {

using Clock = std::chrono::steady_clock;

Seconds since(Clock::time_point begin) {
  return Seconds{std::chrono::duration<double>(Clock::now() - begin).count()};
}

// Adds the time from its making to its end.
class Timed {
 public:
  explicit Timed(Seconds& sum) : sum_{sum} {}
  Timed(Timed const&) = delete;
  Timed& operator=(Timed const&) = delete;
  ~Timed() { sum_ += since(begin_); }

 private:
  Seconds& sum_;
  Clock::time_point begin_{Clock::now()};
};

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

}  // namespace

std::int64_t exchanges_of(Stretch const& stretch) {
  std::int64_t const at_once = stretch.steps_at_once;
  return (stretch.has_halos ? 0 : 1) + (stretch.steps + at_once - 1) / at_once;
}

DeviceRun::DeviceRun(GridDevice device, std::int64_t halo_width)
    : device_{std::move(device)},
      shape_{device_.stencil->shape()},
      halo_width_{halo_width},
      crew_{device_.cores} {
}

void DeviceRun::clear(SlabFields& fields) {
  std::int64_t const planes = fields.box().extent().z;
  crew_.run([&](int thread) {
    Box const whole{{0, 0, 0}, {1, 1, planes}};
    Box const part = parts_for_threads(whole, crew_.threads())[static_cast<std::size_t>(thread)];
    bool const is_by_planes = planes >= 4 * crew_.threads();
    if (!is_by_planes && thread > 0) return;
    bool const is_last = !is_by_planes || thread == crew_.threads() - 1;
    fields.clear(thread == 0 ? fields.first_plane() : part.begin.z,
                 is_last ? fields.last_plane() : part.end.z);
  });
}

void DeviceRun::for_each_part(Box const& box, std::function<void(Box const&)> const& work) {
  auto const parts = parts_for_threads(box, crew_.threads());
  crew_.run([&](int thread) { work(parts[static_cast<std::size_t>(thread)]); });
}

double DeviceRun::slowdown_at(std::int64_t step) const {
  double factor = 1;
  for (Slowdown const& slowdown : device_.slowdowns) {
    if (step >= slowdown.from) factor = slowdown.factor;
  }
  return factor;
}

void DeviceRun::sweep_box(Slab& slab, Box const& box, std::int64_t step, int steps, Pause pause) {
  device_.stencil->sweep({.box = box,
                          .step = step,
                          .steps = steps,
                          .now = slab.fields.now(),
                          .next = slab.fields.next(),
                          .pause = pause});
}

void DeviceRun::sweep(Slab& slab, Part part, std::int64_t step, int steps, pgas::Endpoint& here) {
  std::vector<Box> boxes;
  if (part == Part::boundary) boxes = slab.regions.boundary;
  if (part == Part::interior) boxes = {slab.regions.interior};
  if (part == Part::all) boxes = {slab.fields.box()};
  std::erase_if(boxes, [](Box const& box) { return box.is_empty(); });
  if (boxes.empty()) return;
  double const factor = slowdown_at(step);
  crew_.run([&](int thread) {
    auto const begin = Clock::now();
    Pause const pause = thread == 0 ? Pause(&drive_progress, &here) : Pause();
    for (Box const& box : boxes) {
      auto const parts = parts_for_threads(box, crew_.threads());
      Box const& mine = parts[static_cast<std::size_t>(thread)];
      if (!mine.is_empty()) sweep_box(slab, mine, step, steps, pause);
    }
    stretch(begin, factor);
  });
}

void DeviceRun::receive(HaloExchange& exchange, pgas::Endpoint& here, Slab& slab,
                        std::span<FieldView const> views, std::int64_t number) {
  {
    Timed const timed(times_.wait);
    exchange.wait(here, slab, number);
  }
  Timed const timed(times_.unpack);
  exchange.unpack_all(slab, views, number);
  if (shape_.reads_row_ends) fill_row_ends(views, halo_width_);
}

void DeviceRun::exchange_now(HaloExchange& exchange, pgas::Endpoint& here, std::int64_t number) {
  for (Slab& slab : slabs_) {
    Timed const timed(times_.send);
    exchange.send(here, outbox_, slab, slab.fields.now_spreading(), number);
  }
  for (Slab& slab : slabs_) receive(exchange, here, slab, slab.fields.now_spreading(), number);
  outbox_.clear();
}

void DeviceRun::run(Stretch const& stretch, HaloExchange& exchange, pgas::Endpoint& here) {
  std::int64_t number = stretch.exchange;
  if (!stretch.has_halos) exchange_now(exchange, here, number++);
  bool const has_overlap = stretch.schedule == Schedule::overlap;
  std::int64_t const end = stretch.step + stretch.steps;
  for (std::int64_t step = stretch.step; step < end; step += stretch.steps_at_once, ++number) {
    int const steps = static_cast<int>(std::min<std::int64_t>(stretch.steps_at_once, end - step));
    Seconds const before = times_.boundary + times_.interior;
    Seconds const besides = times_.send + times_.unpack;
    for (Slab& slab : slabs_) {
      {
        Timed const timed(has_overlap ? times_.boundary : times_.interior);
        sweep(slab, has_overlap ? Part::boundary : Part::all, step, steps, here);
      }
      Timed const timed(times_.send);
      exchange.send(here, outbox_, slab, slab.fields.next_spreading(), number);
    }
    for (Slab& slab : slabs_) {
      Timed const timed(times_.interior);
      if (has_overlap) sweep(slab, Part::interior, step, steps, here);
      load_.planes += slab.fields.box().extent().z * steps;
    }
    load_.busy += times_.boundary + times_.interior - before;
    for (Slab& slab : slabs_) {
      receive(exchange, here, slab, slab.fields.next_spreading(), number);
      slab.fields.advance();
    }
    load_.steps += steps;
    load_.besides += times_.send + times_.unpack - besides;
    Timed const timed(times_.wait);
    outbox_.clear();
  }
}

DeviceRun::Load DeviceRun::take_load() {
  return std::exchange(load_, Load{});
}

}  // namespace makespan::grid

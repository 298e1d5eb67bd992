// SPDX-License-Identifier: Apache-2.0
#include "makespan/sim/detail/worker_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

namespace makespan::sim {

WorkerTable::WorkerTable(MachineModel const& machine, TrueCosts const& costs, VirtualClock& clock)
    : costs_{costs}, clock_{clock}, draws_{machine.seed} {
  first_of_image_.assign(machine.images.size() + 1, 0);
  for (WorkerModel const& model : workers_of(machine)) {
    entries_.push_back({.model = model});
    ++first_of_image_[static_cast<std::size_t>(model.image) + 1];
  }
  for (std::size_t image = 1; image < first_of_image_.size(); ++image) {
    first_of_image_[image] += first_of_image_[image - 1];
  }
}

bag::WorkerView WorkerTable::view(int worker, Speed known) const {
  Entry const& entry = at(worker);
  if (!entry.course) return {.speed = known};
  return entry.course->view(VirtualClock::time(), known);
}

bool WorkerTable::take_tail(int victim, bag::ItemRange tail) {
  Entry& entry = at(victim);
  if (!entry.course || !entry.course->take_tail(VirtualClock::time(), tail)) return false;
  // It sleeps until the end of its chunk, which is nearer now.
  entry.wakes->release();
  clock_.note_change();
  return true;
}

Seconds WorkerTable::next_entry(int image, Progress progress) const {
  Seconds const now = VirtualClock::time();
  Seconds first{std::numeric_limits<double>::infinity()};
  auto const at_image = static_cast<std::size_t>(image);
  for (int worker = first_of_image_[at_image]; worker < first_of_image_[at_image + 1]; ++worker) {
    auto const& course = at(worker).course;
    // Between two chunks it is in the runtime, and answers at once. So does one that has failed: it
    // gives back what it has not done, though it may not have run yet since its speed became 0.
    if (!course || has_failed(worker)) return now;
    first = std::min(first, progress == Progress::hand ? course->piece_end(now) : course->end());
  }
  return std::max(first, now);
}

void WorkerTable::publish(int worker, bag::ItemRange items) {
  Entry& entry = at(worker);
  // Drawn in the order in which chunks begin, which virtual time repeats.
  entry.noise = drawn_noise(*entry.model.model);
  Pace const pace = pace_of(entry.model, costs_, items, entry.factor * entry.noise);
  entry.course.emplace(costs_, items, pace, VirtualClock::time());
  if (items.items() > 1) holders_.insert(worker);
  clock_.note_change();
}

void WorkerTable::take_all(int worker) {
  Entry& entry = at(worker);
  if (entry.course) entry.course->take_all(VirtualClock::time());
}

void WorkerTable::end_chunk(int worker) {
  at(worker).course.reset();
  holders_.erase(worker);
}

void WorkerTable::wait_until(int worker, Seconds time) {
  Seconds const left = time - VirtualClock::time();
  if (!(left > VirtualClock::precision)) return;
  auto const& wakes = at(worker).wakes;
  if (std::isinf(left.value())) {
    // At a speed of 0 it is never through: only an event can wake it.
    wakes->acquire();
  } else {
    static_cast<void>(wakes->acquire_timeout(left.value()));
  }
}

void WorkerTable::change_speed(int device, double factor) {
  for (Entry& entry : entries_) {
    if (entry.model.device != device) continue;
    entry.factor = factor;
    if (entry.course) {
      // The noise is the chunk's, whatever happens to the device meanwhile.
      Pace const pace = pace_of(entry.model, costs_, entry.course->items(), factor * entry.noise);
      entry.course->change_speed(VirtualClock::time(), pace.speed);
    }
    // Of one that does not wait now the next wait ends at once, and it looks again.
    entry.wakes->release();
  }
  clock_.note_change();
}

// Normal, but never below a tenth: a chunk takes some time.
double WorkerTable::drawn_noise(DeviceModel const& model) {
  if (!(model.noise > 0.0)) return 1.0;
  // Box and Muller; 1 less a number below 1, since 0 has no logarithm.
  double const radius = std::sqrt(-2.0 * std::log(1.0 - draws_.next()));
  double const normal = radius * std::cos(2.0 * std::numbers::pi * draws_.next());
  // Noise is of the time, the factor one of the speed.
  return 1.0 / std::max(0.1, 1.0 + model.noise * normal);
}

}  // namespace makespan::sim

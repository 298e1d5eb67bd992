// SPDX-License-Identifier: Apache-2.0
#include "makespan/sim/grids/detail/device_program.hpp"

#include <algorithm>
#include <cstddef>

namespace makespan::sim {

namespace {

// With what each exchange ends.
void add_receives(std::vector<DeviceTask>& tasks, std::span<int const> slabs) {
  for (int const slab : slabs) {
    tasks.push_back({DeviceOp::wait, slab});
    tasks.push_back({DeviceOp::unpack, slab});
    // What came is unpacked beside an accelerator's interior, which may go on still.
    tasks.push_back({DeviceOp::finish_sweeps, slab});
  }
  // Last of all: what was put had the whole step to arrive.
  tasks.push_back({DeviceOp::finish_puts, 0});
}

}  // namespace

std::vector<DeviceTask> step_program(std::span<int const> slabs, grid::Schedule schedule) {
  bool const has_overlap = schedule == grid::Schedule::overlap;
  std::vector<DeviceTask> tasks;
  for (int const slab : slabs) {
    // Boundaries of all slabs before any interior, behind which their halos travel.
    tasks.push_back({has_overlap ? DeviceOp::sweep_boundary : DeviceOp::sweep_all, slab});
    tasks.push_back({DeviceOp::send, slab});
  }
  for (int const slab : slabs) {
    if (has_overlap) tasks.push_back({DeviceOp::sweep_interior, slab});
  }
  add_receives(tasks, slabs);
  return tasks;
}

std::vector<DeviceTask> exchange_program(std::span<int const> slabs) {
  std::vector<DeviceTask> tasks;
  // All are sent before any is waited for: slabs of a device may be each other's neighbours.
  for (int const slab : slabs) tasks.push_back({DeviceOp::send, slab});
  add_receives(tasks, slabs);
  return tasks;
}

GridPhase phase_of(DeviceOp op) {
  switch (op) {
    case DeviceOp::sweep_boundary:
      return GridPhase::boundary;
    case DeviceOp::sweep_interior:
    case DeviceOp::sweep_all:
    case DeviceOp::finish_sweeps:
      return GridPhase::interior;
    case DeviceOp::send:
      return GridPhase::send;
    case DeviceOp::unpack:
      return GridPhase::unpack;
    case DeviceOp::wait:
    case DeviceOp::finish_puts:
      return GridPhase::wait;
  }
  return GridPhase::wait;
}

Seconds SpeedCourse::end_of(double points, Seconds begin) const {
  double left = points;
  Seconds now = begin;
  double factor = 1.0;
  for (Change const& change : changes_) {
    if (change.at > now) {
      Work const until = factor * speed_ * (change.at - now);
      if (until.value() >= left) break;
      left -= until.value();
      now = change.at;
    }
    factor = change.factor;
  }
  return now + Work{left} / (factor * speed_);
}

Speed SpeedCourse::at(Seconds time) const {
  double factor = 1.0;
  for (Change const& change : changes_) {
    if (change.at <= time) factor = change.factor;
  }
  return factor * speed_;
}

std::vector<SpeedCourse> speeds_of(GridJob const& job, GridRoster const& roster) {
  std::vector<SpeedCourse> speeds;
  speeds.reserve(roster.models.size());
  for (GridDeviceModel const* model : roster.models) speeds.emplace_back(model->speed);
  std::vector<GridSpeedChange> changes = job.changes;
  std::ranges::stable_sort(changes, {}, &GridSpeedChange::at);
  for (GridSpeedChange const& change : changes) {
    speeds[static_cast<std::size_t>(change.device)].change(change.at, change.factor);
  }
  return speeds;
}

std::vector<Seconds> SpeedCourse::times() const {
  std::vector<Seconds> times;
  times.reserve(changes_.size());
  for (Change const& change : changes_) times.push_back(change.at);
  return times;
}

}  // namespace makespan::sim

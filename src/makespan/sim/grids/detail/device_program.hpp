// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a device does in a step, one thing after the other, and where it is in it.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "makespan/grid/cut/exchange_plan.hpp"
#include "makespan/sim/grids/detail/grid_layout.hpp"
#include "makespan/sim/grids/grid_job.hpp"

namespace makespan::sim {

enum class DeviceOp : std::uint8_t {
  sweep_boundary,
  sweep_interior,
  sweep_all,
  send,
  wait,
  unpack,
  finish_sweeps,  // until an accelerator has done all; nothing of processors
  finish_puts,    // until what it sent is there
};

struct DeviceTask {
  DeviceOp op{};
  int slab{};  // of the layout
};

// As grid::DeviceRun::advance(), and exchange_now(), do it. Tested by
// tests/sim/grids/device_program_test.cpp.
[[nodiscard]] std::vector<DeviceTask> step_program(std::span<int const> slabs,
                                                   grid::Schedule schedule);
[[nodiscard]] std::vector<DeviceTask> exchange_program(std::span<int const> slabs);

[[nodiscard]] GridPhase phase_of(DeviceOp op);

// What the device's thread is at.
enum class ThreadState : std::uint8_t {
  computing,  // looks at what has come now and then
  idle,       // until a time that is known; looks at what comes
  packing,    // looks at nothing
  waiting,    // for messages
  done,
};

// How fast a device is from when on.
class SpeedCourse {
 public:
  explicit SpeedCourse(Speed speed) : speed_{speed} {}
  // Changes come in the order of their times.
  void change(Seconds at, double factor) { changes_.push_back({at, factor}); }

  // When so many points are done that are begun at `begin`.
  [[nodiscard]] Seconds end_of(double points, Seconds begin) const;
  [[nodiscard]] Speed at(Seconds time) const;
  [[nodiscard]] std::vector<Seconds> times() const;

 private:
  struct Change {
    Seconds at{};
    double factor{};
  };
  Speed speed_;
  std::vector<Change> changes_{};
};

// By device.
[[nodiscard]] std::vector<SpeedCourse> speeds_of(GridJob const& job, GridRoster const& roster);

}  // namespace makespan::sim

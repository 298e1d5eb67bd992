// SPDX-License-Identifier: Apache-2.0
#pragma once

// All devices of a grid, step by step, and what travels between them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "makespan/base/quantity.hpp"
#include "makespan/sim/grids/detail/device_program.hpp"
#include "makespan/sim/grids/detail/event_queue.hpp"
#include "makespan/sim/grids/detail/grid_layout.hpp"
#include "makespan/sim/grids/detail/halo_flight.hpp"
#include "makespan/sim/grids/detail/message_way.hpp"
#include "makespan/sim/grids/grid_job.hpp"

namespace makespan::sim {

// As grid::DeviceRun::Load: planes of all steps, what computing them took, and what packing and
// unpacking took besides.
struct DeviceLoad {
  double planes{};
  Seconds busy{};
  std::int64_t steps{};
  Seconds besides{};
};

// Tested by tests/sim/grids/device_turns_test.cpp and, through all of a grid,
// tests/sim/grids/grid_simulation_test.cpp.
class DeviceTurns {
 public:
  DeviceTurns(GridJob const& job, GridRoster const& roster);
  DeviceTurns(DeviceTurns const&) = delete;
  DeviceTurns& operator=(DeviceTurns const&) = delete;
  ~DeviceTurns() = default;

  // Slabs anew, between two stretches; halos are not there then. Keeps a reference.
  void lay(GridLayout const& layout);
  // Steps up to `end_step`, which all devices begin at `begin`: when the last one is done.
  Seconds run(std::int64_t end_step, Seconds begin);

  // Since the last time that this was called.
  [[nodiscard]] DeviceLoad take_load(int device);
  [[nodiscard]] std::vector<int> const& slabs_of(int device) const {
    return devices_[static_cast<std::size_t>(device)].slabs;
  }
  [[nodiscard]] std::array<Seconds, grid_phases> const& times_of(int device) const {
    return devices_[static_cast<std::size_t>(device)].times;
  }
  [[nodiscard]] Seconds interior_busy_of(int device) const {
    return devices_[static_cast<std::size_t>(device)].interior_busy;
  }
  // By step: when all devices had made it; 0 of steps that are made at once with later ones.
  [[nodiscard]] std::vector<Seconds> const& step_ends() const { return step_ends_; }
  [[nodiscard]] std::vector<GridSpan> const& spans() const { return spans_; }
  [[nodiscard]] MessageWay const& way(int message) const { return flight_.way(message); }
  [[nodiscard]] int nodes() const { return ways_.nodes(); }

 private:
  // Exchanges that may be under way at once: a neighbour is at most one ahead.
  static constexpr std::int64_t exchanges_kept = 2;

  // Of a device's thread.
  struct DeviceState {
    std::vector<int> slabs{};
    std::vector<DeviceTask> tasks{};  // of what it is at: a step, or an exchange
    std::size_t task{};
    ThreadState state{ThreadState::done};
    Seconds begin{};        // of the task
    Seconds end{};          // likewise, where that is known
    std::int64_t events{};  // that counted: others are of ends that have moved
    Seconds owed{};         // for what came while it looked at nothing
    Seconds served{};       // until when it is at what has come
    Seconds urgent{};       // until when its accelerator has sweeps of boundaries
    Seconds queue{};        // and of all
    std::int64_t puts{};    // of its own that are not there
    Seconds puts_done{};    // when the last one was, as it knows
    bool has_exchanged{};
    std::int64_t exchange{};
    std::int64_t step{};
    std::int64_t end_step{};
    int steps{};             // of the present turn, at once
    Seconds sweeps_begin{};  // of the turn, by its accelerator
    Seconds sweeping{};      // of the turn, by its thread, or until the accelerator is there
    Seconds halos{};         // of the turn: packing, sending, unpacking
    std::array<Seconds, grid_phases> times{};
    Seconds interior_busy{};  // as GridDeviceUse has it
    DeviceLoad load{};        // since the last look
  };

  struct SlabState {
    std::array<std::int64_t, exchanges_kept> come{};
    std::array<Seconds, exchanges_kept> ready{};
  };

  // A turn: one task after the other.
  void begin_turn(int device);
  void go_on(int device);
  // Whether the task takes time, and ends by an event.
  bool begin(int device, DeviceTask const& task);
  bool begin_sweep(int device, DeviceTask const& task);
  bool queue_sweep(int device, DeviceTask const& task);
  bool finish_sweeps(int device);
  bool begin_send(int device, DeviceTask const& task);
  bool begin_wait(int device, DeviceTask const& task);
  bool begin_unpack(int device, DeviceTask const& task);
  void end_task(int device);
  void end_turn(int device);
  static void add_load(DeviceState& at, bool is_queued);
  bool until(int device, Seconds end, ThreadState state);
  [[nodiscard]] bool is_through(int device) const;

  // What comes.
  void take(GridEvent const& event);
  void arrive(GridEvent const& event);
  [[nodiscard]] Seconds receive(int device, MessageWay const& way, GridEvent const& event);
  void wake(int device);

  [[nodiscard]] DeviceState& of(int device) { return devices_[static_cast<std::size_t>(device)]; }
  [[nodiscard]] GridDeviceModel const& model(int device) const {
    return *roster_.models[static_cast<std::size_t>(device)];
  }
  [[nodiscard]] LaidSlab const& laid(int slab) const {
    return layout_->slabs()[static_cast<std::size_t>(slab)];
  }

  GridJob const& job_;
  GridRoster const& roster_;
  MessageWays ways_;
  GridEventQueue events_{};
  HaloFlight flight_;
  GridLayout const* layout_{};
  std::vector<SpeedCourse> speeds_{};  // by device
  std::vector<DeviceState> devices_;
  std::vector<SlabState> slabs_{};
  std::vector<Seconds> step_ends_;
  std::vector<GridSpan> spans_{};
};

}  // namespace makespan::sim
